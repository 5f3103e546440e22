import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { numberToHex } from 'viem';
import { relayer } from '../../../src/demo/chain/accounts.js';
import { startTestApp } from '../../support/app.js';
import type { TestApp } from '../../support/app.js';
import { attachTestChain, startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

const setBalance = (chain: TestChain, wei: bigint) =>
  chain.ask('anvil_setBalance', [relayer.address, numberToHex(wei)]);

describe('the gas money of the relayer', () => {
  let chain: TestChain;
  let rig: SettlerRig;

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  afterEach(() => rig.close());
  after(() => chain.stop());

  it('is enough, runs low and is gone, and the log warns, but not each time', async () => {
    const warnings: unknown[] = [];
    let clockMs = 0;
    const settler = rig.createSettler({
      log: { warn: (_: unknown, message?: unknown) => void warnings.push(message) },
      nowMs: () => clockMs,
    });
    await settler.start();
    assert.equal(settler.health().state, 'ok');
    assert.deepEqual(warnings, []);

    await setBalance(chain, 4n * 400_000n * 3n * 10n ** 9n);
    await settler.start();
    await settler.start();
    const { state, settlementsLeft } = settler.health();
    assert.equal(state, 'low');
    assert.ok(settlementsLeft !== undefined && settlementsLeft >= 4 && settlementsLeft < 10);
    assert.equal(settler.why(), undefined);
    assert.equal(warnings.length, 1);

    await setBalance(chain, 10n ** 12n);
    clockMs += 11 * 60_000;
    await settler.start();
    assert.equal(settler.health().state, 'empty');
    assert.match(settler.why() ?? '', /gas money/);
    assert.equal(warnings.length, 2);

    await setBalance(chain, 10n ** 18n);
    await settler.start();
    assert.equal(settler.why(), undefined);
  });

  it('sells nothing while the node fails twice in a row, and again when it answers once', async () => {
    let isDown = false;
    const { flaky } = await rig.createFlakySettler(() => (isDown ? 'lost_request' : 'answered'));
    await flaky.start();
    isDown = true;
    await flaky.start();
    assert.equal(flaky.why(), undefined, 'one bad moment');
    await flaky.start();
    assert.match(flaky.why() ?? '', /does not answer/);
    isDown = false;
    await flaky.start();
    assert.equal(flaky.why(), undefined);
  });

  it('buys nothing while the network asks for more than is allowed', async () => {
    const settler = rig.createSettler({ settings: { maxFeeWei: 1_000n } });
    await settler.start();
    assert.equal(settler.health().state, 'unpayable');
    assert.match(settler.why() ?? '', /fees/);
    const outcome = await settler.settle(await chain.signAuthorization());
    assert.ok(outcome.outcome === 'failed');
    assert.equal(outcome.reason, 'unexpected_settle_error');
  });
});

describe('a service without gas money', () => {
  let app: TestApp;

  before(async () => {
    app = await startTestApp({ withData: false });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());

  it('asks nobody for a payment that it could not settle', async () => {
    const { localRpcUrl } = app.selling;
    assert.ok(localRpcUrl);
    const chain = attachTestChain(localRpcUrl);
    await askUntil(402);
    await setBalance(chain, 0n);
    const refused = await askUntil(503);
    assert.equal(refused.headers.get('payment-required'), null);
    assert.equal((await fetch(`${app.url}/readyz`)).status, 503);
    await setBalance(chain, 10n ** 18n);
    await askUntil(402);
  });

  /** The balance is looked at every five seconds. */
  async function askUntil(status: number): Promise<Response> {
    for (;;) {
      const reply = await fetch(`${app.url}/api/deals`);
      if (reply.status === status) return reply;
      await delay(100);
    }
  }
});
