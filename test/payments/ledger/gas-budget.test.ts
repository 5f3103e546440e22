import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { Claim, Ledger } from '../../../src/payments/ledger/ledger.js';
import { stopDatabaseClock } from '../../support/database-clock.js';
import { openTestDatabase } from '../../support/database.js';
import { deep } from '../../support/depth.js';
import { after as later, buildClaim, buildSettlement, claimedAt, randomHex } from './build-claim.js';

/** What a transfer of a plain account burns at most when its money is gone. */
const plainGas = 60_000n;
const stepSeconds = deep(30, 61);

describe('the gas that failed transfers may burn', () => {
  let database: Database;
  let ledger: Ledger;

  beforeEach(async () => {
    database = await openTestDatabase();
    await database.knex('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
    ledger = createLedgerStore(database.knex, 1_000_000n);
    await setClock(0);
  });
  afterEach(() => database.close());

  const setClock = (seconds: number) => stopDatabaseClock(database.knex, later(seconds));
  const kindOf = async (changes: Partial<Claim> = {}) => (await ledger.claim(buildClaim(changes))).kind;

  async function burn(gas: bigint, burnedShared = false): Promise<void> {
    const claim = buildClaim();
    assert.equal(await kindOf(claim), 'claimed');
    await ledger.release(claim, 'owner', 'out of gas', { gas, burnedShared });
  }

  /** An account that has bought something two hours before. */
  async function know(): Promise<Partial<Claim>> {
    const account = { payer: randomHex(20), asset: randomHex(20) };
    const old = buildClaim(account);
    await setClock(-7_200);
    assert.equal(await kindOf(old), 'claimed');
    await ledger.finish(old, 'owner', buildSettlement(), 60_000);
    await setClock(0);
    return account;
  }

  it('lets a payer with code fail once in a day', async () => {
    const claim = buildClaim({ payerGas: 100_000n });
    assert.equal(await kindOf(claim), 'claimed');
    await setClock(1);
    await ledger.release(claim, 'owner', 'out of gas', { gas: 100_000n, burnedShared: false });
    const again = { payer: claim.payer, payerGas: 100_000n };
    assert.deepEqual(await ledger.claim(buildClaim(again)), { kind: 'payer_failed', until: later(86_401) });
    assert.equal(await kindOf({ payer: claim.payer }), 'claimed', 'its code is gone');
    await setClock(86_401);
    assert.equal(await kindOf(again), 'claimed', 'a day later');
  });

  it('counts what payers with code may burn in flight, and what has burned within the hour', async () => {
    const inFlight = buildClaim({ payerGas: 400_000n });
    assert.equal(await kindOf(inFlight), 'claimed');
    assert.equal(await kindOf({ payerGas: 400_000n }), 'claimed');
    assert.equal(await kindOf({ payerGas: 400_000n }), 'gas_burned');
    assert.equal(await kindOf(), 'claimed', 'a payer without code does not wait');
    await ledger.finish(inFlight, 'owner', buildSettlement(), 60_000);
    assert.equal(await kindOf({ payerGas: 400_000n }), 'claimed');
    assert.equal(await kindOf({ payerGas: 400_000n, isPaid: true }), 'claimed', 'nothing is sent for it');
  });

  it('holds for payers that come in the same moment: those with code, and newcomers', async () => {
    const claimTogether = async (count: number, changes: Partial<Claim>) => {
      const kinds = await Promise.all(Array.from({ length: count }, () => kindOf(changes)));
      return kinds.filter((kind) => kind === 'claimed').length;
    };
    assert.equal(await claimTogether(5, { payerGas: 400_000n }), 2);
    await burn(1_000_001n);
    assert.equal(await claimTogether(30, {}), 7, 'three came within the minute');
  });

  it('grants newcomers ten payments a minute once it is burned, and known payers all of theirs', async () => {
    const known = await know();
    await burn(1_000_001n);
    await setClock(10);
    for (let count = 1; count < 10; count += 1) assert.equal(await kindOf(), 'claimed', `${count}`);
    assert.equal(await kindOf(), 'gas_burned');
    assert.deepEqual(await ledger.claim(buildClaim(known)), { kind: 'claimed', claimedAt: later(10), mayShare: true });
    await setClock(3_601);
    assert.equal(await kindOf(), 'claimed', 'an hour later');
  });

  it('is 41,000,000 at most in an hour of newcomers without code who all burn, for one key', async () => {
    let burned = 0n;
    let inFlight: readonly Claim[] = [];
    // More than may pay come each time; a key has 64 transactions in flight at most.
    for (let second = 0; second < 3_600; second += second === 0 ? 1 : stepSeconds) {
      await setClock(second);
      for (const claim of inFlight)
        await ledger.release(claim, 'owner', 'unpaid', { gas: plainGas, burnedShared: false });
      burned += plainGas * BigInt(inFlight.length);
      const asked = Array.from({ length: second === 0 ? 64 : 12 }, () => buildClaim());
      const kinds = await Promise.all(asked.map(async (each) => (await ledger.claim(each)).kind));
      inFlight = asked.filter((_, index) => kinds[index] === 'claimed');
    }
    burned += plainGas * BigInt(inFlight.length);
    assert.ok(burned > 30_000_000n && burned <= 41_000_000n, `${burned}`);
  });

  it('lets nobody share a transaction for an hour after a shared one has burned its gas, on no instance', async () => {
    const account = await know();
    const mayShareAt = async (seconds: number) => {
      await setClock(seconds);
      const claimed = await createLedgerStore(database.knex).claim(buildClaim(account));
      return claimed.kind === 'claimed' && claimed.mayShare;
    };
    await burn(60_000n);
    assert.equal(await mayShareAt(1), true, 'it went alone');
    await setClock(2);
    await burn(60_000n, true);
    assert.equal(await mayShareAt(3), false);
    assert.equal(await mayShareAt(3_601), false);
    assert.equal(await mayShareAt(3_602), true);
  });
});
