import { numberToHex, type Log, type RpcTransactionReceipt } from 'viem';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { addressTopic, eventTopics } from '../../src/payments/chain/transfer-proof.js';
import type { ModelChain, Spending } from './model-chain.js';
import { terms } from './purchase.js';

/** The token's logs of a used nonce, as a real token writes them. */
export function logsOf(
  chain: ModelChain,
  { kind, payer, nonce, to, value, transaction, atMs, index }: Spending,
): Log<bigint, number, false>[] {
  const blockNumber = chain.blockAt(atMs);
  const logOf = (topics: [Hex, ...Hex[]], data: Hex, logIndex: number): Log<bigint, number, false> => ({
    address: terms.network.asset,
    blockHash: numberToHex(blockNumber, { size: 32 }),
    blockNumber,
    transactionHash: transaction,
    transactionIndex: 0,
    logIndex,
    removed: false,
    topics,
    data,
  });
  const party = addressTopic(payer);
  if (kind === 'cancelled') return [logOf([eventTopics.cancelled, party, nonce], '0x', 2 * index)];
  return [
    logOf([eventTopics.used, party, nonce], '0x', 2 * index),
    logOf([eventTopics.transfer, party, addressTopic(to)], numberToHex(value, { size: 32 }), 2 * index + 1),
  ];
}

/** A log in JSON-RPC format. */
export function toRpcLog({
  blockTimestamp: _,
  ...log
}: Log<bigint, number, false>): RpcTransactionReceipt['logs'][number] {
  return {
    ...log,
    blockNumber: numberToHex(log.blockNumber),
    transactionIndex: numberToHex(log.transactionIndex),
    logIndex: numberToHex(log.logIndex),
  };
}

/** A receipt in JSON-RPC format; null while no block has the transaction. */
export function receiptOf(chain: ModelChain, transaction: Hex, viewMs: number): RpcTransactionReceipt | null {
  const mined = chain.pool.find(transaction, viewMs);
  const spendings = chain.spendings().filter((each) => each.transaction === transaction && each.atMs <= viewMs);
  // Of a relayer's, the pool knows the block.
  const reverted = chain.submissions.find(
    (each) => each.transaction === transaction && each.state === 'reverted' && each.relayedBy === undefined,
  );
  const atMs = mined?.atMs ?? spendings[0]?.atMs ?? (reverted && viewMs);
  if (atMs === undefined) return null;
  const isAlone = mined === undefined || mined.transaction.authorizations.length === 1;
  return {
    ...blockOf(chain.blockAt(atMs)),
    transactionHash: transaction,
    transactionIndex: '0x0',
    from: mined?.transaction.from ?? transaction,
    to: terms.network.asset,
    contractAddress: null,
    type: '0x2',
    status: isAlone && spendings.length === 0 && mined?.isPaid.length !== 0 ? '0x0' : '0x1',
    logs: spendings.flatMap((each) => logsOf(chain, each)).map(toRpcLog),
    logsBloom: '0x',
    gasUsed: numberToHex(mined?.gasUsed ?? 60_000n),
    cumulativeGasUsed: '0x0',
    effectiveGasPrice: '0x1',
  };
}

/** The transactions of a block that have spent anything, as far as they name their senders. */
export function sendersIn(chain: ModelChain, block: bigint): readonly unknown[] {
  const hashes = chain
    .spendings()
    .flatMap(({ atMs, transaction }) => (chain.blockAt(atMs) === block ? transaction : []));
  return [...new Set(hashes)].map((hash) => ({
    hash,
    // Each stranger sends once.
    from: chain.pool.find(hash, Infinity)?.transaction.from ?? `0x${hash.slice(-40)}`,
  }));
}

function blockOf(number: bigint) {
  return { blockNumber: numberToHex(number), blockHash: numberToHex(number, { size: 32 }) };
}
