import assert from 'node:assert/strict';
import { encodeFunctionData, parseAbi } from 'viem';
import type { Authorization, Hex } from '../../../src/payments/chain/eip3009.js';
import { findTransfer, findTransfers, isAuthorizationUsed } from '../../../src/payments/chain/find-transfer.js';
import type { TransferSearch } from '../../../src/payments/chain/find-transfer.js';
import { createLogReader } from '../../../src/payments/chain/log-reader.js';
import { multicall3Address } from '../../../src/wire/networks.js';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';

const someoneElse: Hex = '0x00000000000000000000000000000000000e15e0';

describe('isAuthorizationUsed', () => {
  let chain: TestChain;
  before(async () => (chain = await startTestChain()));
  after(() => chain.stop());

  it('believes no node that has not come so far as is asked when it shows an authorization unused', async () => {
    const { client, token: asset } = chain;
    const [used, unused] = [await chain.signAuthorization(), await chain.signAuthorization()];
    await chain.submitElsewhere(used);
    const { timestamp } = await client.getBlock();
    const isUsed = (payment: Authorization, asOf: bigint) => isAuthorizationUsed({ client, asset }, payment, asOf);
    assert.deepEqual([await isUsed(used, timestamp), await isUsed(unused, timestamp)], [true, false]);
    assert.equal(await isUsed(used, timestamp + 600n), true);
    await assert.rejects(isUsed(unused, timestamp + 600n), /behind the end of the window/);
  });
});

describe('findTransfer', () => {
  let chain: TestChain;
  let search: TransferSearch;

  before(async () => {
    chain = await startTestChain();
    search = { client: chain.client, asset: chain.token, payTo: chain.payTo.address };
  });
  after(() => chain.stop());

  const find = (authorization: Authorization, overrides: Partial<TransferSearch> = {}, settledIn?: bigint) =>
    findTransfer({ ...search, ...overrides }, { authorization, ...(settledIn === undefined ? {} : { settledIn }) });

  it('says settled, with the transaction and block, whoever submitted it', async () => {
    const authorization = await chain.signAuthorization();
    const transaction = await chain.submitElsewhere(authorization);
    const { blockNumber } = await chain.client.getTransactionReceipt({ hash: transaction });
    assert.deepEqual(await find(authorization), { verdict: 'settled', transaction, blockNumber });
  });

  it('recognises payer, payee and nonce in any case of their letters', async () => {
    const authorization = await chain.signAuthorization({ nonce: `0x${'aB'.repeat(32)}` });
    await chain.submitElsewhere(authorization);
    const upper = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;
    const found = await find(
      { ...authorization, from: upper(authorization.from), nonce: upper(authorization.nonce) },
      { payTo: upper(chain.payTo.address) },
    );
    assert.equal(found.verdict, 'settled');
  });

  it('says diverted when the nonce was spent on somebody else or on another value', async () => {
    const nonce: Hex = `0x${'d1'.repeat(32)}`;
    const ours = await chain.signAuthorization({ nonce });
    const transaction = await chain.submitElsewhere(await chain.signAuthorization({ nonce, to: someoneElse }));
    const found = await find(ours);
    assert.equal(found.verdict, 'diverted');
    assert.equal('transaction' in found && found.transaction, transaction);

    const cheap: Hex = `0x${'d2'.repeat(32)}`;
    await chain.submitElsewhere(await chain.signAuthorization({ nonce: cheap, value: 9_999n }));
    assert.equal((await find(await chain.signAuthorization({ nonce: cheap }))).verdict, 'diverted');
  });

  it("does not count another authorization's transfer in the same transaction", async () => {
    const diverted = await chain.signAuthorization({ to: someoneElse });
    const paid = await chain.signAuthorization();
    const transfer = ({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization) => ({
      target: chain.token,
      callData: encodeFunctionData({
        abi: tokenAbi,
        functionName: 'transferWithAuthorization',
        args: [from, to, value, validAfter, validBefore, nonce, signature],
      }),
    });
    const data = encodeFunctionData({
      abi: parseAbi([
        'function aggregate((address target, bytes callData)[] calls) payable returns (uint256, bytes[])',
      ]),
      args: [[transfer(diverted), transfer(paid)]],
    });
    await chain.send(someoneElse, multicall3Address, data);
    const claims = [{ ...diverted, to: chain.payTo.address }, paid];
    const found = await findTransfers(
      search,
      claims.map((authorization) => ({ authorization })),
    );
    assert.deepEqual(
      found.map(({ verdict }) => verdict),
      ['diverted', 'settled'],
    );
  });

  it('says cancelled, although the nonce is as used as a settled one', async () => {
    const authorization = await chain.signAuthorization();
    const transaction = await chain.cancelElsewhere(authorization.nonce);
    const found = await find(authorization);
    assert.equal(found.verdict, 'cancelled');
    assert.equal('transaction' in found && found.transaction, transaction);
  });

  it('says cancelled of a claim also where its payer has done that after its window', async () => {
    const since = new Date(Number(chain.now()) * 1000 - 60_000);
    const authorization = await chain.signAuthorization({ validBefore: chain.now() + 10n });
    await chain.warp(600);
    await chain.cancelElsewhere(authorization.nonce);
    assert.equal((await findTransfer(search, { authorization, since })).verdict, 'cancelled');
    assert.equal((await find(authorization)).verdict, 'unproven', 'of what was never claimed nobody waits for the end');
  });

  it('says open for an authorization that nobody has used', async () => {
    assert.deepEqual(await find(await chain.signAuthorization()), { verdict: 'open' });
  });

  it('says expired only once a finalized block is past validBefore', async () => {
    const authorization = await chain.signAuthorization({ validBefore: chain.now() + 60n });
    await chain.warp(61);
    assert.deepEqual(await find(authorization), { verdict: 'open' }, 'the newest block is past it, but not final');
    await chain.mineBlocks(2);
    assert.deepEqual(await find(authorization), { verdict: 'expired' });
  });

  it('does not say expired on the word of a node that lags behind the finalized block', async () => {
    const authorization = await chain.signAuthorization({ validBefore: chain.now() + 60n });
    await chain.warp(61);
    await chain.mineBlocks(2);
    const { number, timestamp } = await chain.client.getBlock();
    const finalizedElsewhere = { number: number + 1n, timestamp };
    const client = Object.assign({}, chain.client, { getBlock: () => Promise.resolve(finalizedElsewhere) });
    assert.deepEqual(await find(authorization, { client }), { verdict: 'open' });
  });

  it('still says settled after validBefore', async () => {
    const authorization = await chain.signAuthorization();
    await chain.submitElsewhere(authorization);
    await chain.warp(400);
    await chain.mineBlocks(2);
    assert.equal((await find(authorization)).verdict, 'settled');
  });

  it('says unproven, and not cancelled, when the nonce was used outside the searched time', async () => {
    const authorization = await chain.signAuthorization();
    await chain.submitElsewhere(authorization);
    const searched = (question: { readonly validBefore?: bigint; readonly since?: Date }) =>
      findTransfer(search, { authorization: { ...authorization, ...question }, since: question.since });
    const ago = (seconds: bigint): bigint => chain.now() - seconds;
    assert.deepEqual(await searched({ validBefore: ago(1_200n) }), { verdict: 'unproven' });
    const since = new Date(Number(ago(-1_200n)) * 1000);
    assert.deepEqual(await searched({ since }), { verdict: 'unproven' });
  });

  it('says reorged when a settlement that was seen is gone', async () => {
    const authorization = await chain.signAuthorization();
    const snapshot = await chain.ask('evm_snapshot');
    await chain.submitElsewhere(authorization);
    const settled = await find(authorization);
    assert.ok(settled.verdict === 'settled');
    await chain.ask('evm_revert', [snapshot]);
    const { blockNumber } = settled;
    assert.deepEqual(await find(authorization, {}, blockNumber), { verdict: 'unproven' }, 'the node may be behind');
    await chain.mineBlocks();
    assert.deepEqual(await find(authorization, {}, blockNumber), { verdict: 'reorged' });
    assert.deepEqual(await find(authorization), { verdict: 'open' });
  });

  it('throws when the chain cannot be asked', async () => {
    const authorization = await chain.signAuthorization();
    const client = { ...chain.client, call: () => Promise.reject(new Error('gone')) };
    await assert.rejects(find(authorization, { client }), /gone/);
  });
});

describe('findTransfers', () => {
  it('answers for 120 authorizations in their order with two eth_getLogs', async () => {
    const chain = await startTestChain();
    const authorizations = await Promise.all(Array.from({ length: 120 }, () => chain.signAuthorization()));
    const settled = [0, 60, 99, 100, 119];
    for (const index of settled) await chain.submitElsewhere(authorizations[index] ?? assert.fail());
    let logCalls = 0;
    const request = new Proxy(chain.client.request, {
      apply(target, self, [call, ...rest]: [{ method: string }, ...unknown[]]) {
        if (call.method === 'eth_getLogs') logCalls += 1;
        return Reflect.apply(target, self, [call, ...rest]);
      },
    });
    const client = { ...chain.client, request, readLogs: createLogReader({ request }) };
    const search = { client, asset: chain.token, payTo: chain.payTo.address };
    const found = await findTransfers(
      search,
      authorizations.map((authorization) => ({ authorization })),
    );
    await chain.stop();
    assert.equal(logCalls, 2);
    found.forEach(({ verdict }, index) => assert.equal(verdict, settled.includes(index) ? 'settled' : 'open'));
  });

  it('finds a transfer in any of the block ranges it has to split the search into', async () => {
    const chain = await startTestChain();
    const authorizations = await Promise.all(Array.from({ length: 4 }, () => chain.signAuthorization()));
    for (const authorization of authorizations) {
      await chain.submitElsewhere(authorization);
      await chain.mineBlocks(2);
    }
    const client = { ...chain.client, readLogs: createLogReader(chain.client, { blocksPerCall: 3n }) };
    const found = await findTransfers(
      { client, asset: chain.token, payTo: chain.payTo.address },
      authorizations.map((authorization) => ({ authorization })),
    );
    await chain.stop();
    assert.deepEqual(
      found.map(({ verdict }) => verdict),
      ['settled', 'settled', 'settled', 'settled'],
    );
  });
});
