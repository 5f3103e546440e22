import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { caughtAt } from './caught-at.js';
import { resultsAt } from './compare-cadences.js';
import { damages } from './damages.js';
import { divide } from './divide.js';
import { faultKinds, type FaultCounts } from './faults.js';
import { runHistory } from './history.js';
import { commandFor } from './shrink.js';
import { deep } from '../support/depth.js';

const histories = deep(10_000, 120);
/** A bug that does not appear within this many histories counts as missed. */
const historiesPerDamage = 2_000;
const allSeeds = Array.from({ length: historiesPerDamage }, (_, index) => index + 1);
/** Each kind of fault occurs at least this often, and each step of a payment has at least this many crashes. */
const minFaults = deep(100, 1);
/** So rare that a slice may have none, and the whole has fewer. */
const rareKinds: readonly string[] = ['transfer failed among others', 'transfer of a payer with code failed'];
const minRare = deep(20, 0);
const minCrashes = deep(10, 1);
/** A slice may miss some of the moments. */
const mostUnmet = deep(0, 10);
/** Histories that are run at both cadences. */
const compared = deep(500, 8);

const steps = [
  'eth_call',
  'find',
  'claim',
  'keep',
  'eth_sendRawTransaction',
  'finish',
  'release',
  'endLease',
  'takeOver',
];
const laterSteps = [
  'facilitator verify',
  'facilitator settle',
  'eth_getLogs',
  'list kept',
  'findById',
  ...deep(['takeRedelivery'], []),
  'readReplyBody',
  'recordDeliveries',
  'listOpen',
  'endForeignLeases',
];

describe('the payment machine in simulated histories', function () {
  this.timeout(900_000);

  before(function () {
    if ((process.env.TEST_DATABASE_URL ?? '') === '') return;
    process.stderr.write('    skipped: it touches no database, and runs with the embedded one\n');
    this.skip();
  });

  let counts: FaultCounts = new Map();

  it(`keeps every guarantee in ${histories} of them`, async () => {
    const processes = Math.min(availableParallelism(), deep(2, 1));
    const outcome = await divide({ processes, args: ['--histories', `${histories}`], isQuiet: true });
    counts = outcome.counts;
    const told = outcome.failures.map(({ seed, promise, detail }) => `${promise}: ${detail}. ${commandFor({ seed })}`);
    assert.deepEqual(told, []);
  });

  it('meets every fault often, and crashes before and after every call', () => {
    process.stdout.write(
      [...counts]
        .sort()
        .map(([kind, count]) => `      ${count} x ${kind}\n`)
        .join(''),
    );
    const least = (kind: string) => (rareKinds.includes(kind) ? minRare : minFaults);
    assert.deepEqual(
      faultKinds.filter((kind) => (counts.get(kind) ?? 0) < least(kind)),
      [],
    );
    const moments = [...steps, ...laterSteps].flatMap((step) => [`crash before ${step}`, `crash after ${step}`]);
    const unmet = moments.filter((moment) => (counts.get(moment) ?? 0) < minCrashes);
    assert.ok(unmet.length <= mostUnmet, unmet.join(', '));
  });

  it('produces the same story for the same seed', async () => {
    const story = await tell(11);
    assert.ok(story.length > 20);
    assert.deepEqual(await tell(11), story);
  });

  it(`gives equal results with a block each 200 ms and each 2 s, in ${compared} histories`, async () => {
    for (let seed = 1; seed <= compared; seed++)
      assert.deepEqual(await resultsAt(seed, 200), await resultsAt(seed, 2_000), `history ${seed}`);
  });

  for (const variant of damages) {
    it(`catches a machine that ${variant.name}`, async () => {
      for (const seed of [caughtAt[variant.name] ?? 1, ...allSeeds]) {
        if ((await runHistory({ seed, variant })) === undefined) continue;
        assert.equal(await runHistory({ seed }), undefined, 'the undamaged machine passes the same history');
        return;
      }
      assert.fail(`not in ${historiesPerDamage} histories`);
    });
  }
});

async function tell(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await runHistory({ seed, tell: (line) => lines.push(line) });
  return lines;
}
