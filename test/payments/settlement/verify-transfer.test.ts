import assert from 'node:assert/strict';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import { createAuthorizationVerifier } from '../../../src/payments/chain/eip3009.js';
import type { Authorization, AuthorizationVerifier, Hex } from '../../../src/payments/chain/eip3009.js';
import { multicall3Address } from '../../../src/wire/networks.js';
import { wellKnownAccounts } from '../../../src/payments/chain/well-known-accounts.js';
import { createSelfSettler, type SelfSettler } from '../../../src/payments/settlement/relayer/self-settler.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { createMemoryRelayerStore } from './memory-relayer-store.js';
import { oneByOne } from './settler-rig.js';
import { startFlakyNode } from './flaky-node.js';
import type { Fate, FlakyNode } from './flaky-node.js';
import { createRelayerTally } from '../../../src/payments/settlement/relayer/relayer-tally.js';

const consentingWallet: Hex = '0x631626ba7e60e01b60005260206000f3';
const refusingWallet: Hex = '0x60206000f3';
/** JUMPDEST PUSH0 JUMP: until the gas is gone. */
const burningWallet: Hex = '0x5b5f56';
const wallet = (digit: number): Hex => `0x${digit.toString(16).padStart(40, '0')}`;
const [, , , , poor] = wellKnownAccounts;

describe('verifyTransfer', () => {
  let chain: TestChain;
  let node: FlakyNode;
  let verifier: AuthorizationVerifier;
  let settler: SelfSettler;
  let fate: Fate = 'answered';

  const createSettler = (rpcUrl: string) =>
    createSelfSettler({
      client: createChainClient({ rpcUrl, timeoutMs: 5_000 }),
      relayerKey: chain.relayer.privateKey,
      network: chain.network,
      payTo: chain.payTo.address,
      verifier,
      now: () => new Date(),
      nowMs: () => performance.now(),
      problems: { tell: () => undefined },
      tally: createRelayerTally(),
      log: { warn: () => undefined },
      store: createMemoryRelayerStore(),
      settings: oneByOne,
    });

  before(async () => {
    chain = await startTestChain();
    node = await startFlakyNode(chain.rpcUrl, () => fate);
    verifier = await createAuthorizationVerifier(chain.domain);
    settler = createSettler(node.rpcUrl);
  });
  beforeEach(() => {
    fate = 'answered';
    node.methods.length = 0;
  });
  after(async () => {
    await settler.close();
    await node.stop();
    await chain.stop();
  });

  const verdictOf = async (authorization: Authorization): Promise<string> => {
    const verdict = await settler.verify(authorization);
    return verdict.verdict === 'refused' ? verdict.reason : verdict.verdict;
  };

  it('finds a payment good that the token would take, and names the time of the chain', async () => {
    const { timestamp } = await chain.client.getBlock();
    const verdict = await settler.verify(await chain.signAuthorization());
    assert.equal(verdict.verdict, 'good');
    assert.ok(verdict.verdict === 'good' && verdict.chainTime.getTime() >= Number(timestamp) * 1000);
    assert.ok(verdict.chainTime.getTime() <= Date.now() + 1_000);
  });

  it('refuses with the code of x402 what the token refuses', async () => {
    const now = chain.now();
    const good = await chain.signAuthorization();
    const used = await chain.signAuthorization();
    await chain.submitElsewhere(used);
    assert.ok(poor);
    const cases: readonly (readonly [string, Authorization])[] = [
      ['insufficient_funds', await chain.signAuthorization({ signer: poor })],
      [
        'invalid_exact_evm_payload_authorization_valid_after',
        await chain.signAuthorization({ validAfter: now + 200n }),
      ],
      [
        'invalid_exact_evm_payload_authorization_valid_before',
        await chain.signAuthorization({ validBefore: now - 1n }),
      ],
      ['nonce_used', used],
      ['invalid_exact_evm_payload_signature', { ...good, value: good.value + 1n }],
      ['invalid_exact_evm_payload_signature', { ...good, signature: '0x' }],
    ];
    for (const [reason, authorization] of cases) assert.equal(await verdictOf(authorization), reason);
  });

  it('refuses while the token is paused, and payers whom the token has blocked', async () => {
    const good = await chain.signAuthorization();
    await chain.setPaused(true);
    assert.equal(await verdictOf(good), 'invalid_transaction_state');
    await chain.setPaused(false);
    await chain.setBlacklisted(chain.buyer.address, true);
    assert.equal(await verdictOf(good), 'invalid_transaction_state');
    await chain.setBlacklisted(chain.buyer.address, false);
    assert.equal(await verdictOf(good), 'good');
  });

  it('refuses without asking the chain what can never be paid to us', async () => {
    const good = await chain.signAuthorization();
    const cases: readonly (readonly [string, Authorization])[] = [
      ['invalid_exact_evm_payload_recipient_mismatch', await chain.signAuthorization({ to: wallet(7) })],
      ['invalid_exact_evm_payload_signature', { ...good, signature: `${good.signature}${'6492'.repeat(16)}` }],
      ['invalid_payload', { ...good, value: 2n ** 256n }],
      ['invalid_payload', { ...good, nonce: '0x12' }],
      ['invalid_payload', { ...good, from: '0xnobody' }],
      ['invalid_payload', { ...good, signature: '0x123' }],
    ];
    for (const [reason, authorization] of cases) assert.equal(await verdictOf(authorization), reason);
    assert.deepEqual(node.methods, []);
  });

  it('takes addresses in any case, and v as 0 or 1', async () => {
    const good = await chain.signAuthorization();
    const upper = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;
    assert.equal(
      await verdictOf({ ...good, from: upper(good.from), to: upper(good.to), nonce: upper(good.nonce) }),
      'good',
    );
    const parity = good.signature.endsWith('1b') ? '00' : '01';
    assert.equal(await verdictOf({ ...good, signature: `0x${good.signature.slice(2, 130)}${parity}` }), 'good');
  });

  it('asks once for fifty payments that come together', async () => {
    const payments = await Promise.all(Array.from({ length: 50 }, () => chain.signAuthorization()));
    const verdicts = await Promise.all(payments.map(verdictOf));
    assert.deepEqual(new Set(verdicts), new Set(['good']));
    assert.deepEqual([...node.methods].sort(), ['eth_call', 'eth_getCode']);
  });

  it('refuses the payment that the payer can no longer cover beside the earlier ones', async () => {
    assert.ok(poor);
    await chain.fund(poor.address, 25_000n);
    const payments = await Promise.all([1, 2, 3].map(() => chain.signAuthorization({ signer: poor })));
    assert.deepEqual(await Promise.all(payments.map(verdictOf)), ['good', 'good', 'insufficient_funds']);
  });

  it('gives copies of one payment the same verdict', async () => {
    const good = await chain.signAuthorization();
    assert.deepEqual(await Promise.all([good, { ...good }, good].map(verdictOf)), ['good', 'good', 'good']);
  });

  it("leaves the signature of a contract wallet to the wallet's own judgement", async () => {
    await chain.fund(wallet(0xa1));
    const payment = await chain.signAuthorization({ from: wallet(0xa1) });
    for (const signature of ['0xc0ffee', payment.signature, `0x${'11'.repeat(64)}01`] as const) {
      await chain.ask('anvil_setCode', [wallet(0xa1), consentingWallet]);
      assert.equal(await verdictOf({ ...payment, signature }), 'good');
      await chain.ask('anvil_setCode', [wallet(0xa1), refusingWallet]);
      assert.equal(await verdictOf({ ...payment, signature }), 'invalid_exact_evm_payload_signature');
    }
  });

  it('is not misled for others by a wallet that burns all gas', async () => {
    await chain.fund(wallet(0xa2));
    await chain.ask('anvil_setCode', [wallet(0xa2), burningWallet]);
    const burner = { ...(await chain.signAuthorization({ from: wallet(0xa2) })), signature: '0xc0ffee' } as const;
    const others = await Promise.all(Array.from({ length: 20 }, () => chain.signAuthorization()));
    const verdicts = await Promise.all(
      [burner, { ...burner, nonce: wallet(1).padEnd(66, '0') as Hex }, ...others].map(verdictOf),
    );
    const expected = Array.from({ length: 20 }, () => 'good');
    assert.ok(verdicts[0] !== 'good' && verdicts[1] !== 'good');
    assert.deepEqual(verdicts.slice(2), expected);
  });

  it('says unavailable, without the address of the node, when the node cannot be asked', async () => {
    fate = 'lost_request';
    const verdict = await settler.verify(await chain.signAuthorization());
    assert.equal(verdict.verdict, 'unavailable');
    assert.ok(verdict.verdict === 'unavailable' && verdict.detail.length > 0);
    assert.doesNotMatch(verdict.detail, /127\.0\.0\.1|http:/);
  });

  it('says unavailable where there is no token or no Multicall3', async () => {
    const bare = await startTestChain();
    const elsewhere = createSettler(bare.rpcUrl);
    await bare.ask('anvil_setCode', [bare.token, '0x']);
    const good = await chain.signAuthorization();
    const noToken = await elsewhere.verify(good);
    await bare.ask('anvil_setCode', [multicall3Address, '0x']);
    const noMulticall = await elsewhere.verify(good);
    await elsewhere.close();
    await bare.stop();
    assert.ok(noToken.verdict === 'unavailable' && /no EIP-3009 token/.test(noToken.detail));
    assert.ok(noMulticall.verdict === 'unavailable' && /no Multicall3/.test(noMulticall.detail));
  });
});
