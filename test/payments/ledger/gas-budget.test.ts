import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { Claim, Ledger } from '../../../src/payments/ledger/ledger.js';
import { openTestDatabase } from '../../support/database.js';
import { after as later, buildClaim, buildSettlement, claimedAt, randomHex } from './build-claim.js';

describe('the gas that failed transfers may burn', () => {
  let database: Database;
  let ledger: Ledger;

  beforeEach(async () => {
    database = await openTestDatabase();
    await database.knex('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
    ledger = createLedgerStore(database.knex, 1_000_000n);
  });
  afterEach(() => database.close());

  const claimAt = (seconds: number, changes: Partial<Claim> = {}) =>
    buildClaim({ claimedAt: later(seconds), leaseUntil: later(seconds + 60), ...changes });
  const kindOf = async (claim: Claim) => (await ledger.claim(claim)).kind;

  async function burn(gas: bigint, burnedShared = false, seconds = 0): Promise<void> {
    const claim = claimAt(seconds);
    assert.equal(await kindOf(claim), 'claimed');
    await ledger.release(claim, 'owner', 'out of gas', { failedAt: later(seconds), gas, burnedShared });
  }

  it('lets a payer with code fail once in a day', async () => {
    const claim = claimAt(0, { payerGas: 100_000n });
    assert.equal(await kindOf(claim), 'claimed');
    await ledger.release(claim, 'owner', 'out of gas', { failedAt: later(1), gas: 100_000n, burnedShared: false });
    const again = { payer: claim.payer, payerGas: 100_000n };
    assert.deepEqual(await ledger.claim(claimAt(60, again)), { kind: 'payer_failed', until: later(86_401) });
    assert.equal(await kindOf(claimAt(60, { payer: claim.payer })), 'claimed', 'its code is gone');
  });

  it('counts what payers with code may burn in flight, and what has burned within the hour', async () => {
    const inFlight = claimAt(0, { payerGas: 400_000n });
    assert.equal(await kindOf(inFlight), 'claimed');
    assert.equal(await kindOf(claimAt(0, { payerGas: 400_000n })), 'claimed');
    assert.equal(await kindOf(claimAt(1, { payerGas: 400_000n })), 'gas_burned');
    assert.equal(await kindOf(claimAt(1)), 'claimed', 'a payer without code does not wait');
    await ledger.finish(inFlight, 'owner', buildSettlement(), later(60));
    assert.equal(await kindOf(claimAt(2, { payerGas: 400_000n })), 'claimed');
    assert.equal(await kindOf(claimAt(3, { payerGas: 400_000n, isPaid: true })), 'claimed', 'nothing is sent for it');
  });

  it('grants newcomers ten payments a minute once it is burned, and known payers all of theirs', async () => {
    const known = randomHex(20);
    const asset = randomHex(20);
    const old = claimAt(-7_200, { payer: known, asset });
    assert.equal(await kindOf(old), 'claimed');
    await ledger.finish(old, 'owner', { ...buildSettlement(), settledAt: later(-7_200) }, later(-7_100));
    await burn(1_000_001n);
    for (let count = 1; count < 10; count += 1) assert.equal(await kindOf(claimAt(10)), 'claimed', `${count}`);
    assert.equal(await kindOf(claimAt(10)), 'gas_burned');
    const claimed = await ledger.claim(claimAt(10, { payer: known, asset }));
    assert.deepEqual(claimed, { kind: 'claimed', mayShare: true });
    assert.equal(await kindOf(claimAt(3_601)), 'claimed', 'an hour later');
  });

  it('lets nobody share a transaction for an hour after a shared one has burned its gas, on no instance', async () => {
    const account = { payer: randomHex(20), asset: randomHex(20) };
    const old = claimAt(-7_200, account);
    await ledger.claim(old);
    await ledger.finish(old, 'owner', { ...buildSettlement(), settledAt: later(-7_200) }, later(-7_100));
    const mayShareAt = async (seconds: number) => {
      const claimed = await createLedgerStore(database.knex).claim(claimAt(seconds, account));
      return claimed.kind === 'claimed' && claimed.mayShare;
    };
    await burn(60_000n);
    assert.equal(await mayShareAt(1), true, 'it went alone');
    await burn(60_000n, true, 2);
    assert.equal(await mayShareAt(3), false);
    assert.equal(await mayShareAt(3_601), false);
    assert.equal(await mayShareAt(3_602), true);
  });
});
