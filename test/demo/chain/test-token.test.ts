import assert from 'node:assert/strict';
import { domainSeparator, encodeFunctionData, parseAbi } from 'viem';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { wellKnownAccounts } from '../../../src/payments/chain/well-known-accounts.js';
import type { Authorization, Hex } from '../../../src/payments/chain/eip3009.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';

const erc20Abi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function initialize(string name, string version, address owner)',
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
]);
const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const wallet: Hex = '0x00000000000000000000000000000000000a11e7';
/** Returns ERC-1271's magic value to everybody. */
const consentingWallet: Hex = '0x631626ba7e60e01b60005260206000f3';
/** Returns zero. */
const refusingWallet: Hex = '0x60206000f3';
const stranger: Hex = '0x00000000000000000000000000000000000057a7';

describe('the test token', () => {
  let chain: TestChain;

  before(async () => (chain = await startTestChain()));
  after(() => chain.stop());

  const encodeBytesOverload = ({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization): Hex =>
    encodeFunctionData({
      abi: tokenAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, signature],
    });

  const encodeVrsOverload = ({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization): Hex => {
    const [r, s]: Hex[] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`];
    assert.ok(r && s);
    const v = Number.parseInt(signature.slice(130), 16);
    return encodeFunctionData({
      abi: tokenAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, v, r, s],
    });
  };

  const refusal = (text: string) => (error: Error) => {
    assert.match(error.message, new RegExp(text.replace(/[()']/g, '.')));
    return true;
  };

  async function assertRefused(authorization: Authorization, text: string): Promise<void> {
    const call = (data: Hex) => chain.client.call({ to: chain.token, data, blockTag: 'pending' });
    await assert.rejects(call(encodeBytesOverload(authorization)), refusal(text));
  }

  it('has the EIP-712 domain of the network table', async () => {
    const read = (functionName: 'name' | 'version' | 'symbol' | 'decimals' | 'DOMAIN_SEPARATOR') =>
      chain.client.readContract({ address: chain.token, abi: erc20Abi, functionName });
    assert.equal(await read('name'), chain.domain.name);
    assert.equal(await read('version'), chain.domain.version);
    assert.equal(await read('decimals'), 6);
    assert.equal(await read('symbol'), 'tUSDC');
    assert.equal(await read('DOMAIN_SEPARATOR'), domainSeparator({ domain: chain.domain }));
  });

  it('cannot be initialized again, and only its owner can mint', async () => {
    const again = encodeFunctionData({ abi: erc20Abi, functionName: 'initialize', args: ['x', '1', stranger] });
    const mint = encodeFunctionData({ abi: erc20Abi, functionName: 'mint', args: [stranger, 1n] });
    const call = (data: Hex) => chain.client.call({ account: stranger, to: chain.token, data });
    await assert.rejects(call(again), refusal('already initialized'));
    await assert.rejects(call(mint), refusal('caller is not the owner'));
  });

  for (const [name, encode] of [
    ['v, r, s', encodeVrsOverload],
    ['bytes', encodeBytesOverload],
  ] as const) {
    it(`transfers once, with AuthorizationUsed right before Transfer, by the overload with ${name}`, async () => {
      const authorization = await chain.signAuthorization({ value: 12_345n });
      const before = await chain.balanceOf(chain.payTo.address);
      const hash = await chain.send(stranger, chain.token, encode(authorization));
      assert.equal(await chain.balanceOf(chain.payTo.address), before + 12_345n);
      const { logs } = await chain.client.getTransactionReceipt({ hash });
      assert.deepEqual(
        logs.map((log) => log.topics[0]),
        [
          '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5',
          '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        ],
        'the topics of USDC on Base',
      );
      await assertRefused(authorization, 'FiatTokenV2: authorization is used or canceled');
    });
  }

  it('reverts in the same cases and with the same messages as USDC', async () => {
    const now = chain.now();
    const sign = chain.signAuthorization;
    await assertRefused(await sign({ validAfter: now + 100n }), 'FiatTokenV2: authorization is not yet valid');
    await assertRefused(await sign({ validBefore: now - 1n }), 'FiatTokenV2: authorization is expired');
    await assertRefused(await sign({ value: 10n ** 18n }), 'ERC20: transfer amount exceeds balance');
    await assertRefused(await sign({ to: `0x${'00'.repeat(20)}` }), 'ERC20: transfer to the zero address');
    const good = await sign();
    await assertRefused({ ...good, value: good.value + 1n }, 'FiatTokenV2: invalid signature');
    await assertRefused({ ...good, signature: '0x1234' }, 'ECRecover: invalid signature length');
    await assertRefused(
      { ...good, signature: `${good.signature.slice(0, 130)}1d` as Hex },
      "ECRecover: invalid signature 'v' value",
    );
    await assertRefused({ ...good, signature: `0x${'00'.repeat(64)}1b` }, 'ECRecover: invalid signature');
  });

  it('refuses the malleable signature with a high s', async () => {
    const good = await chain.signAuthorization();
    const s = groupOrder - BigInt(`0x${good.signature.slice(66, 130)}`);
    const v = good.signature.endsWith('1b') ? '1c' : '1b';
    const signature = `${good.signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as Hex;
    await assertRefused({ ...good, signature }, "ECRecover: invalid signature 's' value");
  });

  it('refuses everything while paused, and blacklisted accounts', async () => {
    const good = await chain.signAuthorization();
    await chain.setPaused(true);
    await assertRefused(good, 'Pausable: paused');
    await chain.setPaused(false);
    for (const account of [chain.buyer.address, chain.payTo.address]) {
      await chain.setBlacklisted(account, true);
      await assertRefused(good, 'Blacklistable: account is blacklisted');
      await chain.setBlacklisted(account, false);
    }
    await chain.submitElsewhere(good);
  });

  it('lets a payer cancel, after which the authorization is void', async () => {
    const good = await chain.signAuthorization();
    await chain.cancelElsewhere(good.nonce);
    await assertRefused(good, 'FiatTokenV2: authorization is used or canceled');
  });

  it('asks a contract wallet to verify the signature', async () => {
    await chain.fund(wallet);
    const payment = { ...(await chain.signAuthorization({ from: wallet })), signature: '0xc0ffee' } as const;
    await chain.ask('anvil_setCode', [wallet, refusingWallet]);
    await assertRefused(payment, 'FiatTokenV2: invalid signature');
    await chain.ask('anvil_setCode', [wallet, consentingWallet]);
    await chain.submitElsewhere(payment);
  });

  it('is also an ordinary ERC-20', async () => {
    const [, , , , , other] = wellKnownAccounts;
    assert.ok(other);
    await chain.fund(other.address, 100n);
    const erc20 = (functionName: 'transfer' | 'approve', to: Hex, value: bigint): Hex =>
      encodeFunctionData({ abi: erc20Abi, functionName, args: [to, value] });
    await chain.send(other.address, chain.token, erc20('transfer', stranger, 40n));
    await chain.send(other.address, chain.token, erc20('approve', wallet, 10n));
    const take = (value: bigint): Hex =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [other.address, stranger, value] });
    await assert.rejects(
      chain.client.call({ account: wallet, to: chain.token, data: take(11n) }),
      refusal('ERC20: transfer amount exceeds allowance'),
    );
    const before = await chain.balanceOf(stranger);
    await chain.ask('anvil_setCode', [wallet, '0x']);
    await chain.send(wallet, chain.token, take(10n));
    assert.equal((await chain.balanceOf(stranger)) - before, 10n);
    assert.equal(await chain.balanceOf(other.address), 50n);
  });
});
