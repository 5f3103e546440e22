import assert from 'node:assert/strict';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createAccount, startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

const wallet: Hex = '0x00000000000000000000000000000000000c0de5';
/** Consents to every signature (ERC-1271) where the transaction pays nothing for its gas, and else reverts. */
const freeRider: Hex = '0x3a600f57631626ba7e60e01b60005260206000f35b60006000fd';
/** Consents to every signature. */
const consenting: Hex = '0x631626ba7e60e01b60005260206000f3';

describe("a payer's code", () => {
  let chain: TestChain;
  let rig: SettlerRig;

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
    await chain.fund(wallet);
  });
  afterEach(() => rig.close());
  after(() => chain.stop());

  const signAsWallet = async () =>
    ({ ...(await chain.signAuthorization({ from: wallet })), signature: '0xc0ffee' }) as const;

  it('is tried with the fees of the transaction: what consents only where nothing is paid is refused unsent', async () => {
    await chain.ask('anvil_setCode', [wallet, freeRider]);
    const verdict = await rig.createSettler().verify(await signAsWallet());
    assert.equal(verdict.verdict, 'refused');
    await chain.ask('anvil_setCode', [wallet, consenting]);
    assert.equal((await rig.createSettler().verify(await signAsWallet())).verdict, 'good');
  });

  it('is taken for there in doubt, and a failing node is never the fault of its payer', async () => {
    let failing = 'eth_getCode';
    const { flaky } = await rig.createFlakySettler((method) => (method === failing ? 'lost_request' : 'answered'));
    const payment = await chain.signAuthorization();
    const verdict = await flaky.verify(payment);
    assert.ok(verdict.verdict === 'good' && verdict.payerCode?.kind === 'some');
    failing = 'eth_estimateGas';
    assert.equal((await flaky.verify(await signAsWallet())).verdict, 'unavailable');
  });

  it('is asked for each time, and for ten minutes no more of a known payer without one', async () => {
    const signer = createAccount();
    await chain.fund(signer.address);
    const { flaky, node } = await rig.createFlakySettler(() => 'answered');
    const asked = () => node.methods.filter((method) => method === 'eth_getCode').length;
    const verify = async () => flaky.verify(await chain.signAuthorization({ signer }));
    await verify();
    await verify();
    assert.equal(asked(), 2);
    assert.equal((await flaky.settle(await chain.signAuthorization({ signer }))).outcome, 'settled');
    await verify();
    assert.equal(asked(), 2);
  });
});
