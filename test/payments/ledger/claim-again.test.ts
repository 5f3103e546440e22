import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { createClaimAgain } from '../../../src/payments/claim-again.js';
import type { ClaimResult, InFlight } from '../../../src/payments/ledger/ledger.js';
import type { Verdict } from '../../../src/payments/settlement/settler.js';
import type { VerifiedPayment } from '../../../src/payments/verified-payment.js';
import { buildClaim, randomHex } from './build-claim.js';

const good: Verdict = { verdict: 'good', chainTime: new Date(0) };
const payment = { authorization: {} } as VerifiedPayment;
const other: InFlight = { nonce: randomHex(32), amount: 1n, isOpen: true };

describe('a claim that has to wait', () => {
  /** By a clock that stands while anything else is done. */
  let nowMs: number;
  let pauses: { readonly endsAtMs: number; readonly end: () => void }[];
  /** When the ledger was asked to claim. */
  let claims: number[];
  let verdicts: number;

  beforeEach(() => {
    nowMs = 0;
    pauses = [];
    claims = [];
    verdicts = 0;
  });

  function create(answers: {
    readonly claimed: () => ClaimResult;
    readonly inFlight?: () => readonly InFlight[];
    readonly verdict?: Verdict;
  }) {
    const claimAgain = createClaimAgain({
      ledger: {
        claim: async () => {
          claims.push(nowMs);
          return answers.claimed();
        },
        listInFlight: async () => answers.inFlight?.() ?? [],
      },
      settler: {
        verify: async () => {
          verdicts += 1;
          return answers.verdict ?? good;
        },
      },
      pause: (delayMs) => new Promise((end) => void pauses.push({ endsAtMs: nowMs + delayMs, end })),
    });
    return (kind: 'funds_in_flight' | 'gas_burned', payerGas?: bigint) =>
      claimAgain({ payment, claim: buildClaim({ payerGas }), claimed: { kind } }, () => buildClaim({ payerGas }));
  }

  /** Lets the time pass until the claims have their ends. */
  async function pass<Result>(...waiting: Promise<Result>[]): Promise<Result[]> {
    let isDone = false;
    const all = Promise.all(waiting).finally(() => (isDone = true));
    all.catch(() => undefined);
    for (;;) {
      for (let turn = 0; turn < 20; turn += 1) await soon();
      if (isDone) return all;
      const next = [...pauses].sort((one, another) => one.endsAtMs - another.endsAtMs)[0] ?? assert.fail('it hangs');
      pauses.splice(pauses.indexOf(next), 1);
      nowMs = Math.max(nowMs, next.endsAtMs);
      next.end();
    }
  }

  it('for money waits until a payment of its payer ends, and asks the chain and the ledger once', async () => {
    const claimAgain = create({
      claimed: () => ({ kind: 'claimed', claimedAt: new Date(0), mayShare: true }),
      inFlight: () => (nowMs < 1_000 ? [other, { ...other, nonce: randomHex(32), isOpen: false }] : []),
    });
    const [tried] = await pass(claimAgain('funds_in_flight'));
    assert.equal(tried?.claimed.kind, 'claimed');
    assert.deepEqual([claims, verdicts], [[1_000], 1]);
  });

  it('for money waits for five seconds, and then the answer stands', async () => {
    const claimAgain = create({ claimed: () => ({ kind: 'funds_in_flight' }), inFlight: () => [other] });
    const [tried] = await pass(claimAgain('funds_in_flight'));
    assert.equal(tried?.claimed.kind, 'funds_in_flight');
    assert.equal(nowMs, 5_000);
  });

  for (const { reason, told } of [
    { reason: 'insufficient_funds', told: 'payment_invalid' },
    { reason: 'nonce_used', told: 'payment_in_progress' },
  ])
    it(`for money is answered ${told} when the chain says ${reason} then`, async () => {
      const verdict: Verdict = { verdict: 'refused', reason, detail: 'No.' };
      const claimAgain = create({ claimed: () => assert.fail('it claims'), verdict });
      await assert.rejects(pass(claimAgain('funds_in_flight')), { reason: told });
    });

  it('for gas waits in line for three seconds, and only the first in line asks the ledger', async () => {
    const claimAgain = create({ claimed: () => ({ kind: 'gas_burned' }) });
    const tried = await pass(...Array.from({ length: 5 }, () => claimAgain('gas_burned', 100_000n)));
    assert.deepEqual(new Set(tried.map(({ claimed }) => claimed.kind)), new Set(['gas_burned']));
    assert.equal(nowMs, 3_000);
    assert.ok(claims.length <= 31, `${claims.length} claims`);
  });

  it('for gas is claimed in its turn as soon as there is some', async () => {
    const claimAgain = create({
      claimed: () =>
        nowMs < 1_000 ? { kind: 'gas_burned' } : { kind: 'claimed', claimedAt: new Date(0), mayShare: false },
    });
    const tried = await pass(claimAgain('gas_burned', 100_000n), claimAgain('gas_burned', 100_000n));
    assert.deepEqual(
      tried.map(({ claimed }) => claimed.kind),
      ['claimed', 'claimed'],
    );
    assert.equal(nowMs, 1_100);
  });

  it('for gas does not wait where its payer has no code', async () => {
    const claimAgain = create({ claimed: () => assert.fail('it claims') });
    assert.equal((await claimAgain('gas_burned')).claimed.kind, 'gas_burned');
  });
});
