import { padHex, toEventSelector, type Log, type TransactionReceipt } from 'viem';
import { lowerHex, type Authorization, type Hex } from './eip3009.js';

/** What the token's own logs say of an authorization. */
export interface TransferProof {
  /**
   * settled: exactly this value went to payTo. diverted: the nonce was spent on something else. cancelled: by the
   * payer.
   */
  readonly outcome: 'settled' | 'diverted' | 'cancelled';
  readonly transaction: Hex;
  readonly blockNumber: bigint;
}

/** The topics of the three events, as EIP-3009 and ERC-20 define them. */
export const eventTopics = {
  used: toEventSelector('AuthorizationUsed(address,bytes32)'),
  cancelled: toEventSelector('AuthorizationCanceled(address,bytes32)'),
  transfer: toEventSelector('Transfer(address,address,uint256)'),
};

/** The part of an authorization by which its transfer is recognized. */
export type TransferTerms = Pick<Authorization, 'from' | 'nonce' | 'value'>;

/**
 * Reads logs (of a receipt or of many blocks) once and answers for any number of authorizations; undefined when the
 * logs do not mention one. The Transfer counts only as the very next log after AuthorizationUsed, in the same
 * transaction: otherwise two authorizations in one transaction could prove one payment twice.
 */
export function indexTransferProofs(
  logs: readonly Log<bigint, number, false>[],
  asset: Hex,
): (terms: TransferTerms, payTo: Hex) => TransferProof | undefined {
  const token = lowerHex(asset);
  const spent = new Map<string, Log<bigint, number, false>>();
  const transfers = new Map<string, Log<bigint, number, false>>();
  for (const log of logs) {
    if (log.removed || lowerHex(log.address) !== token) continue;
    const [event, party, nonce] = log.topics;
    if (event === eventTopics.transfer) transfers.set(`${log.transactionHash} ${log.logIndex}`, log);
    else if (event === eventTopics.used || event === eventTopics.cancelled) spent.set(`${party} ${nonce}`, log);
  }

  return (terms, payTo) => {
    const log = spent.get(`${addressTopic(terms.from)} ${lowerHex(terms.nonce)}`);
    if (!log) return undefined;
    const where = { transaction: log.transactionHash, blockNumber: log.blockNumber };
    if (log.topics[0] === eventTopics.cancelled) return { outcome: 'cancelled', ...where };
    const transfer = transfers.get(`${log.transactionHash} ${log.logIndex + 1}`);
    const isPayment =
      transfer?.topics[1] === addressTopic(terms.from) &&
      transfer.topics[2] === addressTopic(payTo) &&
      BigInt(transfer.data) === terms.value;
    return { outcome: isPayment ? 'settled' : 'diverted', ...where };
  };
}

/** An address as it stands in an indexed topic. */
export function addressTopic(address: Hex): Hex {
  return padHex(lowerHex(address), { size: 32 });
}

/**
 * Whether an answer is a receipt of one of these transactions, with block number, status and logs. Nodes and proxies
 * answer with other things, too: a hash, another's receipt, a text. Those prove nothing.
 */
export function isReceiptOf(answer: unknown, hashes: readonly Hex[]): answer is TransactionReceipt {
  const receipt = answer as Partial<TransactionReceipt> | null | undefined;
  if (!receipt || !hashes.some((hash) => hash === receipt.transactionHash)) return false;
  const isMined = typeof receipt.blockNumber === 'bigint' && ['success', 'reverted'].includes(receipt.status ?? '');
  if (!isMined || !Array.isArray(receipt.logs)) return false;
  return receipt.logs.every((log: unknown) => {
    const { address, topics, data } = (log ?? {}) as Record<string, unknown>;
    return typeof address === 'string' && typeof data === 'string' && Array.isArray(topics);
  });
}
