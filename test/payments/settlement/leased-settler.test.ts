import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import { lowerHex, type Hex } from '../../../src/payments/chain/eip3009.js';
import { createLeasedSettler } from '../../../src/payments/settlement/relayer/leased-settler.js';
import { createRelayerStore, type RelayerStore } from '../../../src/payments/settlement/relayer/relayer-store.js';
import { createSettlementProblems } from '../../../src/payments/settlement/settlement-problems.js';
import { takenOver, unavailable } from '../../../src/payments/settlement/settler.js';
import { startTestChain, type TestChain } from '../../support/chain.js';
import { openTestDatabase } from '../../support/database.js';
import { holdKey } from './hold-key.js';
import { createSettlerRig, type SettlerRig } from './settler-rig.js';

const attempt = takenOver({ operationId: 'listDeals', resource: '', leaseOwner: 'owner' });

describe('a settler with a leased key', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let database: Database;
  let relayer: Hex;
  const problems = createSettlementProblems(() => 0);

  before(async () => {
    [chain, database] = await Promise.all([startTestChain(), openTestDatabase()]);
    rig = await createSettlerRig(chain);
    relayer = lowerHex(chain.relayer.address);
  });
  afterEach(() => rig.close());
  after(async () => {
    await chain.stop();
    await database.close();
  });

  const countNonces = () => chain.client.getTransactionCount({ address: relayer });
  const giveKeyTo = (owner: string) => holdKey(database.knex, { chain: chain.network.id, relayer, owner });

  /** What an instance keeps; for payments without a claim, since none of this is about claims. */
  function storeOf(owner: string): RelayerStore {
    const store = createRelayerStore(database.knex, chain.network, owner);
    return { ...store, keep: (address, transaction) => store.keep(address, transaction, []) };
  }

  it('sends nothing of what it was signing when the lease was lost', async () => {
    await giveKeyTo('one');
    const store = storeOf('one');
    const losing: RelayerStore = {
      ...store,
      async keep(...kept) {
        await giveKeyTo('two');
        return store.keep(...kept);
      },
    };
    const nonces = await countNonces();
    const leased = createLeasedSettler(() => rig.createSettler({ store: losing }), problems);
    await leased.use(relayer);
    const outcome = await leased.settler.settle(await chain.signAuthorization(), attempt);
    assert.ok(outcome.outcome === 'failed');
    assert.equal(outcome.reason, 'unexpected_settle_error');
    assert.equal(await countNonces(), nonces);
    assert.deepEqual(await store.list(relayer, 0), []);
  });

  it('sends what the last holder of the key had in flight, byte for byte', async () => {
    await giveKeyTo('one');
    const payment = await chain.signAuthorization();
    const { flaky } = await rig.createFlakySettler(
      (method) => (method.startsWith('eth_sendRawTransaction') ? 'lost_request' : 'answered'),
      { store: storeOf('one'), timeoutMs: 1_000 },
    );
    assert.equal((await flaky.settle(payment)).outcome, 'unknown');
    const [kept] = await storeOf('one').list(relayer, await countNonces());
    await giveKeyTo('two');
    const leased = createLeasedSettler(() => rig.createSettler({ store: storeOf('two') }), problems);
    await leased.use(relayer);
    const outcome = await leased.settler.settle(payment, attempt);
    assert.ok(outcome.outcome === 'settled');
    assert.equal(outcome.transaction, kept?.hash);
  });

  it('settles nothing without a key, and says why', async () => {
    const leased = createLeasedSettler(() => assert.fail('there is no key'), problems);
    const outcome = await leased.settler.settle(await chain.signAuthorization(), attempt);
    assert.equal(outcome.outcome === 'failed' && outcome.reason, 'unexpected_settle_error');
    assert.equal(problems.current()?.why, 'No relayer key is free for this instance.');
  });

  it('closes the settler of one key before it opens the next, however quickly keys change', async () => {
    const happened: string[] = [];
    const open = (key: Hex) => ({
      ...unavailable,
      start: () => void happened.push(`start ${key}`),
      async close() {
        happened.push(`close ${key}`);
        await Promise.resolve();
        happened.push(`closed ${key}`);
      },
    });
    const leased = createLeasedSettler(open, problems);
    const changes = [leased.use('0x1'), leased.use('0x1'), leased.use('0x2'), leased.use(undefined), leased.use('0x1')];
    await Promise.all(changes);
    assert.equal(problems.current(), undefined);
    await leased.settler.close();
    const inTurn = (key: string) => [`start ${key}`, `close ${key}`, `closed ${key}`];
    assert.deepEqual(happened, [...inTurn('0x1'), ...inTurn('0x2'), ...inTurn('0x1')]);
  });
});
