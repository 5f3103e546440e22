import type { Desk } from '../door/desk.js';
import { OperatorError } from '../errors.js';
import { createProgressLine } from './progress-line.js';
import { renderFigures } from './render-figures.js';
import { renderJobs } from './render-jobs.js';

export interface CliPorts {
  /** Called only by a verb that needs it; `close` is called whatever happens. */
  readonly openDesk: () => Promise<{ readonly desk: Desk; close(): Promise<void> }>;
  readonly out: NodeJS.WritableStream;
  /** For progress. */
  readonly notes: NodeJS.WritableStream;
  readonly now: () => Date;
}

/** Runs one verb of the operator's command line. Resolves to the exit code; throws OperatorError when it cannot be done. */
export async function runVerb(words: readonly string[], ports: CliPorts): Promise<number> {
  const [verb = 'help', ...rest] = words;
  if (['help', '--help', '-h'].includes(verb)) {
    ports.out.write(help);
    return 0;
  }
  if (verb === 'jobs' && rest.length === 0) return withDesk(ports, listJobs);
  const [job] = rest;
  if (verb === 'run' && job !== undefined && rest.length === 1)
    return withDesk(ports, (desk) => runJob(desk, job, ports));
  throw new OperatorError(`This is not understood: ${words.join(' ')}\n\n${help.trimEnd()}`);
}

async function withDesk(ports: CliPorts, use: (desk: Desk, ports: CliPorts) => Promise<void>): Promise<number> {
  const { desk, close } = await ports.openDesk();
  try {
    await use(desk, ports);
    return 0;
  } finally {
    await close();
  }
}

async function listJobs(desk: Desk, { out }: CliPorts): Promise<void> {
  out.write(renderJobs(await desk.listJobs()));
}

async function runJob(desk: Desk, job: string, { out, notes, now }: CliPorts): Promise<void> {
  const startedAt = now();
  const line = createProgressLine(notes, now);
  line.show(`${job} ...`);
  try {
    const figures = await desk.runJob(job, (progress) => line.show(`${job} ... ${renderFigures(progress)}`));
    line.clear();
    const seconds = ((now().getTime() - startedAt.getTime()) / 1000).toFixed(1);
    out.write(`${job} done in ${seconds} s: ${renderFigures(figures)}\n`);
  } catch (error) {
    line.clear();
    throw error;
  }
}

const help = `The operator's command line. It speaks with the running server where that holds the data, and else opens the
database of the configuration itself.

  npm run cli -- jobs         every job: its latest run, how that went, and when the clock runs it next
  npm run cli -- run <job>    run a job now and wait for it; it goes on in the server when you stop waiting
  npm run cli -- help         this text

The jobs:

  listings       read every source, underwrite what changed, publish
  underwriting   underwrite every listing anew, publish
  publish        publish anew what depends on the day
  reconcile      bring open payments to their end by the chain's evidence
  maintenance    drop what retention lets go, and reclaim space
`;
