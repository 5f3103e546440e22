import { parseArgs } from 'node:util';
import { damages } from './damages.js';
import { divide, type Told } from './divide.js';
import { faultKinds, type FaultKind } from './faults.js';
import { runHistory, type HistoryOptions } from './history.js';
import { runMany, type Outcome } from './run-many.js';
import { commandFor, shrink } from './shrink.js';

/**
 * Simulates the payment machine.
 *
 * npm run simulate -- --histories 1000000 --processes 2 --resume /tmp/simulation    many, resumable
 * npm run simulate -- --histories 1000000 --shard 1/2 --resume /tmp/simulation.1     one of two shares
 * npm run simulate -- --seed 27                                                      one, as a story
 * npm run simulate -- --seed 27 --damage "never reconciles"                          one of a machine with a bug
 *
 * Exits with 1 when a guarantee was broken, and prints the command that replays it.
 */
const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    shard: { type: 'string', default: '1/1' },
    processes: { type: 'string', default: '1' },
    resume: { type: 'string' },
    seed: { type: 'string' },
    damage: { type: 'string' },
    without: { type: 'string', default: '' },
    buyers: { type: 'string' },
    /** Started by the process that divides the work, which receives the outcome. */
    part: { type: 'boolean', default: false },
  },
});
const write = (line: string) => void process.stdout.write(`${line}\n`);
// The parent may be gone, and another may soon resume from the same file.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
process.exitCode = await main();

async function main(): Promise<number> {
  if (values.seed !== undefined) return tell({ seed: readCount(values.seed), ...readChanges() });
  const processes = readCount(values.processes);
  const args = process.argv.slice(2).filter((each, index, all) => !isAbout(each) && !isAbout(all[index - 1]));
  const outcome = processes > 1 ? await divide({ processes, args, file: values.resume }) : await runShare();
  if (!values.part) return report(outcome);
  process.send?.({ failures: outcome.failures, counts: [...outcome.counts] } satisfies Told);
  return 0;
}

async function runShare(): Promise<Outcome> {
  const [share = 0, shares = 0] = values.shard.split('/').map(readCount);
  if (share < 1 || share > shares) throw new Error('--shard takes a share of the whole, such as 1/2');
  const plan = { histories: readCount(values.histories), from: readCount(values.from), share, shares };
  return runMany({ plan, file: values.resume, ...readChanges(), report: write });
}

async function report({ failures, counts }: Outcome): Promise<number> {
  for (const [kind, count] of [...counts].sort()) write(`${String(count).padStart(12)} ${kind}`);
  for (const { seed, promise, detail } of failures) {
    write(`BROKEN in history ${seed}: ${promise}: ${detail}`);
    write(`  again:   ${commandFor({ seed, ...readChanges() })}`);
  }
  for (const { seed, promise } of failures.slice(0, 3))
    write(`  shorter: ${commandFor(await shrink({ seed, ...readChanges() }, promise))}`);
  return failures.length > 0 ? 1 : 0;
}

/** The story of one history. */
async function tell(options: HistoryOptions): Promise<number> {
  const violation = await runHistory({ ...options, tell: write });
  write(violation === undefined ? 'Every promise was kept.' : `BROKEN: ${violation.message}`);
  return violation === undefined ? 0 : 1;
}

function isAbout(argument: string | undefined): boolean {
  return argument === '--processes' || argument === '--resume';
}

function readChanges(): Omit<HistoryOptions, 'seed'> {
  const variant = damages.find(({ name }) => name === values.damage);
  if (values.damage !== undefined && variant === undefined) throw new Error(`No damage is named ${values.damage}`);
  const without = new Set(faultKinds.filter((kind: FaultKind) => values.without.split(';').includes(kind)));
  return {
    without,
    ...(variant === undefined ? {} : { variant }),
    ...(values.buyers === undefined ? {} : { buyers: readCount(values.buyers) }),
  };
}

function readCount(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new Error(`${text} is not a whole number above 0`);
  return Number(text);
}
