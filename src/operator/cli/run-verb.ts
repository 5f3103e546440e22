import { readFileSync } from 'node:fs';
import type { Figures, OperatorCommands } from '../socket/operator-commands.js';
import { OperatorError } from '../../errors.js';
import { findProjectFile } from '../../project-file.js';
import { createProgressLine } from '../../terminal/progress-line.js';
import { suggest } from '../../terminal/suggest.js';
import { askHealth, type ListeningPlace } from './ask-health.js';
import { answerLedger } from './answer-ledger.js';
import type { Diagnosis } from '../checks/diagnose.js';
import { exitCodeOf, renderJson, renderText } from './doctor.js';
import { parseWords, text } from './parse-words.js';
import { readFeedWords, readRejectsWords, type RejectsWords } from './read-feed-words.js';
import { readLedgerWords, type LedgerOrder } from './read-ledger-words.js';
import { renderFigures, renderProgress } from './render-figures.js';
import { renderTable } from './render-rows.js';

export interface CliPorts {
  /** Called only by verbs that need it; `close` is always called. */
  readonly openOperatorCommands: () => Promise<{ readonly commands: OperatorCommands; close(): Promise<void> }>;
  /** Looks for everything that is wrong, and changes nothing. */
  readonly diagnose: () => Promise<Diagnosis>;
  /** Copies what is not money into an empty database. */
  readonly move: (toUrl: string, onProgress: (figures: Figures) => void) => Promise<Figures>;
  /** The migrations that are due where it only looks; else it runs them. */
  readonly migrate: (onlyLooks: boolean) => Promise<readonly { readonly name: string; readonly does: string }[]>;
  readonly readListeningPlace: () => ListeningPlace;
  readonly out: NodeJS.WritableStream;
  /** Receives progress. */
  readonly notes: NodeJS.WritableStream;
  readonly now: () => Date;
  /** Asks a person; undefined without one, as in a script. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}

/** Runs one verb of the operator's command line. Resolves to the exit code. @throws OperatorError when it fails */
export async function runVerb(given: readonly string[], outside: CliPorts): Promise<number> {
  const [verb = 'help'] = given;
  const words = waitingVerbs.has(verb) ? given.filter((word) => word !== '--no-wait') : given;
  const ports: Ports = { ...outside, waits: words.length === given.length };
  const rest = words.slice(1);
  if (verb === 'help' || words.some((word) => word === '--help' || word === '-h')) {
    ports.out.write(help);
    return 0;
  }
  if (verb === 'doctor' && rest.every((word) => word === '--json')) {
    const diagnosis = await ports.diagnose();
    ports.out.write(rest.length > 0 ? renderJson(diagnosis) : renderText(diagnosis));
    return exitCodeOf(diagnosis);
  }
  if (verb === 'migrate' && rest.every((word) => word === '--check')) return migrate(rest.length > 0, ports);
  const moved = verb === 'move' ? parseWords(rest, { to: text }) : undefined;
  const { to } = moved?.values ?? {};
  if (to !== undefined && moved?.positionals.length === 0) {
    await showRun('move', ports, (onProgress) => ports.move(to, onProgress));
    return 0;
  }
  if (verb === 'health' && rest.length === 0) return askHealth(ports.readListeningPlace(), ports.notes);
  if (verb === 'jobs' && rest.length === 0) return withCommands(ports, listJobs);
  if (verb === 'sources' && rest.length === 0) return withCommands(ports, listSources);
  const asked = verb === 'rejects' ? readRejectsWords(rest) : undefined;
  if (asked !== undefined) return withCommands(ports, (commands) => listRejects(commands, asked, ports));
  const jobOfVerb = rest.length === 0 ? jobsByVerb.get(verb) : undefined;
  if (jobOfVerb !== undefined) return withCommands(ports, (commands) => runJob(commands, jobOfVerb, ports));
  const ordered = readFeedWords(words);
  if (ordered !== undefined)
    return withCommands(ports, async (commands) => {
      if (
        ordered.do === 'remove-source' &&
        !words.includes('--yes') &&
        !(await confirmRemoval(commands, ordered.source, ports))
      )
        return;
      await showRun(words.slice(0, 2).join(' '), ports, (onProgress) =>
        commands.runOrder(ordered, onProgress, ports.waits),
      );
    });
  const isAsked = (verb === 'report') === (rest[0] === 'demand') && ['ledger', 'report'].includes(verb);
  const order = isAsked ? readLedgerWords(rest) : undefined;
  if (order !== undefined)
    return withCommands(ports, async (commands) => {
      if ('audit' in order) return runAudit(commands, order, ports);
      if ('question' in order) return answerLedger(commands, order.question, ports.out);
      return runJob(commands, order.job, ports);
    });
  const [job] = rest;
  if (verb === 'run' && job !== undefined && rest.length === 1)
    return withCommands(ports, (commands) => runJob(commands, job, ports));
  const hint = verbs.includes(verb) ? '' : suggest(verb, verbs);
  throw new OperatorError(`Invalid command: ${words.join(' ')}${hint && `.${hint}`}\n\n${help.trimEnd()}`);
}

/** The exit code is 1 where it only looks and something is due. */
async function migrate(onlyLooks: boolean, { out, ...ports }: CliPorts): Promise<number> {
  const list = await ports.migrate(onlyLooks);
  const title = onlyLooks ? 'Due:' : 'Done:';
  const lines = list.map(({ name, does }) => `${title} ${name}, which ${does}.\n`);
  out.write(list.length > 0 ? lines.join('') : 'The schema is up to date.\n');
  return onlyLooks && list.length > 0 ? 1 : 0;
}

async function withCommands(
  ports: CliPorts,
  use: (commands: OperatorCommands, ports: CliPorts) => Promise<number | void>,
): Promise<number> {
  const { commands, close } = await ports.openOperatorCommands();
  try {
    return (await use(commands, ports)) ?? 0;
  } finally {
    await close();
  }
}

async function listJobs(commands: OperatorCommands, { out }: CliPorts): Promise<void> {
  const jobs = await commands.listJobs();
  const rows = jobs.map(({ job, lastSlot, state, next }) => [job, minuteOf(lastSlot), state, minuteOf(next)]);
  const errors = jobs.flatMap(({ job, error }) => (error === null ? [] : `${job}: ${error}\n`));
  const table = renderTable([['job', 'last slot (utc)', 'state', 'next (utc)'], ...rows]);
  out.write([table, ...(errors.length > 0 ? ['\n', ...errors] : [])].join(''));
}

function minuteOf(iso: string | null): string {
  return iso === null ? '-' : iso.slice(0, 16).replace('T', ' ');
}

async function listSources(commands: OperatorCommands, { out }: CliPorts): Promise<void> {
  const rows = await commands.listSources();
  out.write(rows.length > 1 ? renderTable(rows) : 'No source has been read yet.\n');
}

/** As a table, or each as a line of JSON. */
async function listRejects(
  commands: OperatorCommands,
  { json, ...question }: RejectsWords,
  { out }: CliPorts,
): Promise<void> {
  const [columns = [], ...rows] = await commands.listRejects(question);
  const toJson = (row: readonly string[]): string =>
    `${JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, row[at]])))}\n`;
  if (json) out.write(rows.map(toJson).join(''));
  else out.write(rows.length > 0 ? renderTable([columns, ...rows]) : 'Its last reading refused nothing.\n');
}

/** Shows how many records leave the feeds. Returns false when the person declines. */
async function confirmRemoval(
  commands: OperatorCommands,
  source: string,
  { confirm, out }: CliPorts,
): Promise<boolean> {
  const [columns = [], ...rows] = await commands.listSources();
  const row = rows.find(([name]) => name === source);
  if (row === undefined) throw new OperatorError(`There is no source ${JSON.stringify(source)}. "sources" lists all.`);
  const records = row[columns.indexOf('records')];
  if (confirm === undefined)
    throw new OperatorError(`${source} holds ${records} records. To take them off sale, add --yes.`);
  const isWanted = await confirm(`${source} holds ${records} records. Take them all off sale?`);
  if (!isWanted) out.write('Nothing changed.\n');
  return isWanted;
}

async function runJob(commands: OperatorCommands, job: string, ports: Ports): Promise<void> {
  await showRun(job, ports, (onProgress) => commands.runJob(job, onProgress, ports.waits));
}

/** The audit, or a rebuild. The exit code is 1 where the ledger does not equal the chain. */
async function runAudit(
  commands: OperatorCommands,
  { audit: order, json }: Extract<LedgerOrder, { readonly audit: unknown }>,
  ports: Ports,
): Promise<number> {
  const run = (onProgress: (figures: Figures) => void) =>
    order === undefined
      ? commands.runJob('audit', onProgress, ports.waits)
      : commands.runOrder(order, onProgress, ports.waits);
  const figures = await showRun(order?.do ?? 'audit', ports, run, json);
  if (!json) await answerLedger(commands, { about: 'balance' }, ports.out);
  return figures['differenceUsd'] === '0.00' && figures['lostSales'] === 0 ? 0 : 1;
}

/** Runs a task with its progress on the terminal, then prints its figures: a summary line, or JSON. */
async function showRun(
  name: string,
  { out, notes, now }: CliPorts,
  run: (onProgress: (figures: Figures) => void) => Promise<Figures>,
  json = false,
): Promise<Figures> {
  const startedAt = now();
  const line = createProgressLine(notes, now);
  line.show(`${name} ...`);
  let isTold = false;
  try {
    const figures = await run(({ waitsFor, ...progress }) => {
      if (waitsFor === undefined) line.show(renderProgress(name, progress));
      if (waitsFor === undefined || isTold) return;
      isTold = true;
      line.clear();
      notes.write(`Waiting for the job ${waitsFor} to end; --no-wait refuses instead.\n`);
    });
    line.clear();
    const seconds = ((now().getTime() - startedAt.getTime()) / 1000).toFixed(1);
    const { columns = '', ...summary } = figures;
    const lines = columns === '' ? '' : `${columns}\n`;
    out.write(
      json ? `${JSON.stringify(figures)}\n` : `${name} done in ${seconds} s: ${renderFigures(summary)}\n${lines}`,
    );
    return figures;
  } catch (error) {
    line.clear();
    throw error;
  }
}

interface Ports extends CliPorts {
  /** For a job that prevents the asked one; else that one is refused. */
  readonly waits: boolean;
}

/** Verbs that may have to wait for a job. */
const waitingVerbs = new Set(['run', 'ingest', 'rents', 'ledger', 'underwrite', 'publish']);

/** Verbs that are short for running a job. */
const jobsByVerb = new Map([
  ['underwrite', 'underwriting'],
  ['publish', 'publish'],
]);

const ownVerbs = 'doctor jobs run sources ingest rejects rents suppress ledger report move migrate health help'.split(
  ' ',
);
const verbs = [...ownVerbs, ...jobsByVerb.keys()];

const help = readFileSync(findProjectFile('src/operator/cli/help.txt'), 'utf8');
