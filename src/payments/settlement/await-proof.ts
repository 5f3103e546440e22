import { type ChainClient, readHead } from '../chain/clients.js';
import { lowerHex, type Authorization, type Hex } from '../chain/eip3009.js';
import type { Network } from '../../wire/networks.js';
import { indexTransferProofs, type TransferProof, isReceiptOf } from '../chain/transfer-proof.js';
import { askEvidence, type ChainEvidence, type Evidence } from './resolve-open-payment.js';
import type { Pause } from './pause.js';

export interface ProofPorts {
  readonly client: Pick<ChainClient, 'getTransactionReceipt' | 'getBlockNumber'>;
  readonly network: Network;
  readonly evidence: Evidence;
  /** How many blocks deep a transfer must be to count, its own block counted. */
  readonly confirmations: number;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly pause: Pause;
  readonly closing: AbortSignal;
}

const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * Polls the chain, with growing pauses, for an authorization that a facilitator reports as sent. Ends when the
 * authorization is used and a transfer has enough confirmations, at `endMs`, or when
 * `closing` is aborted. Then returns the last evidence; a transfer without enough confirmations proves nothing.
 * `transaction` is a hint, which saves a search through the logs when it is true, and ends the waiting when it is
 * proven wrong. Never rejects: a chain that cannot be asked is `unknown`.
 */
export async function awaitProof(
  ports: ProofPorts,
  authorization: Authorization,
  transaction: Hex | undefined,
  endMs: number,
): Promise<ChainEvidence> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const isLast = ports.nowMs() >= endMs || ports.closing.aborted;
    const hinted = transaction && (await readTransaction(ports, authorization, transaction));
    if (typeof hinted === 'object' && (await isDeep(ports, hinted))) return hinted;
    const isHintWrong = hinted === 'other';
    // A transaction that does not come may have been replaced.
    if (!transaction || isHintWrong || isLast || pauseMs === longestPauseMs) {
      const seen = await findEvidence(ports, authorization);
      const found: ChainEvidence = (await isDeep(ports, seen)) ? seen : { verdict: 'unknown' };
      const isOver = found.verdict !== 'open' && found.verdict !== 'unknown';
      if (isOver || isHintWrong || isLast) return found;
    }
    await ports.pause(pauseMs, ports.closing);
  }
}

/** What the chain shows of an authorization now, in the recent past. Never rejects. */
async function findEvidence(
  { evidence, network }: Pick<ProofPorts, 'evidence' | 'network'>,
  { from, to, value, validBefore, nonce }: Authorization,
): Promise<ChainEvidence> {
  const key = { network: network.id, asset: network.asset, payer: from, nonce };
  return askEvidence(evidence, { ...key, payTo: to, amount: value, validBefore, searchFrom: undefined });
}

/** Whatever is not a transfer is deep enough. A chain that does not tell its height proves no depth. */
async function isDeep({ client, confirmations }: ProofPorts, found: ChainEvidence): Promise<boolean> {
  if (confirmations === 1 || found.verdict !== 'settled') return true;
  const head = await readHead(client).catch(() => undefined);
  return head !== undefined && head - found.blockNumber + 1n >= BigInt(confirmations);
}

/**
 * `other`: the transaction is mined and does not mention the authorization. Undefined: not mined, as far as is known.
 */
async function readTransaction(
  { client, network }: ProofPorts,
  authorization: Authorization,
  hash: Hex,
): Promise<ChainEvidence | 'other' | undefined> {
  const receipt: unknown = await client.getTransactionReceipt({ hash }).catch(() => undefined);
  if (!isReceiptOf(receipt, [lowerHex(hash)])) return undefined;
  const proof: TransferProof | undefined = indexTransferProofs(receipt.logs, network.asset)(
    authorization,
    authorization.to,
  );
  if (!proof) return 'other';
  const { outcome, transaction, blockNumber } = proof;
  return outcome === 'settled' ? { verdict: 'settled', transaction, blockNumber } : { verdict: outcome };
}
