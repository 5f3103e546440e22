import type { Log, TransactionReceipt } from 'viem';
import type { ChainClient } from '../../chain/clients.js';
import { lowerHex, type Authorization, type Hex } from '../../chain/eip3009.js';
import { findTransfer } from '../../chain/find-transfer.js';
import { eventTopics, indexTransferProofs } from '../../chain/transfer-proof.js';
import type { Log as ServiceLog } from '../../../log.js';
import { describeFault } from '../describe-fault.js';
import { pauseByTimer, type Pause } from '../pause.js';
import { provenOutcome } from '../resolve-open-payment.js';
import type { Attempt, SettleOutcome, Settler } from '../settler.js';
import { findFault, simulateTransfer, unexplained, type VerifyPorts } from '../verify-transfer.js';
import type { Sent } from './follow-kept.js';
import type { PayerCodeReader } from './payer-code.js';
import type { Relayer } from './relayer.js';
import type { SettlementWindow } from './settlement-window.js';

export interface SettlePorts extends VerifyPorts {
  readonly client: ChainClient;
  readonly window: SettlementWindow;
  readonly payerCode: PayerCodeReader;
  /** Follows the transaction of an earlier owner of a claim. */
  readonly follow: Relayer['follow'];
  readonly asset: Hex;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly log: Pick<ServiceLog, 'warn'>;
  /** How long a settlement may take before it is unknown; shorter than the lease of a claim. */
  readonly timeoutMs: number;
  readonly pause?: Pause;
}

const unproven: SettleOutcome = { outcome: 'unknown', detail: 'there is no proof of the transfer yet' };

/**
 * Creates the settler of one token. A second call for the same authorization joins the running settlement. Each call
 * waits `timeoutMs` at most; then the outcome is `unknown`, and the settlement goes on.
 */
export function createTransferSettler(ports: SettlePorts): Settler {
  const { timeoutMs, pause = pauseByTimer } = ports;
  /** Running settlements, also those whose callers have timed out. */
  const underway = new Map<string, Promise<SettleOutcome>>();
  const closing = new AbortController();

  return {
    by: 'chain',
    async verify(authorization) {
      const fault = findFault(ports, authorization);
      if (fault) return { verdict: 'refused', ...fault };
      const [verdict, hasCode] = await Promise.all([
        simulateTransfer(ports, authorization),
        ports.payerCode.hasCode(authorization.from),
      ]);
      if (verdict.verdict !== 'good') return verdict;
      return hasCode ? ports.payerCode.tryAlone(authorization, verdict) : { ...verdict, payerCode: { kind: 'none' } };
    },
    async settle(authorization, attempt) {
      if (attempt.mayShare) ports.payerCode.remember(authorization.from);
      const { from, nonce, value } = authorization;
      const key = [lowerHex(from), lowerHex(nonce), value].join();
      const settling =
        underway.get(key) ?? settleTransfer(ports, authorization, attempt).finally(() => underway.delete(key));
      underway.set(key, settling);
      const settled = new AbortController();
      const patience = pause(timeoutMs, AbortSignal.any([closing.signal, settled.signal]));
      const outcome = await Promise.race([settling, patience.then(() => unproven)]);
      settled.abort();
      return outcome;
    },
    /** Resolves when each settlement has ended. Their callers get `unknown` at once. */
    async close() {
      closing.abort();
      await Promise.allSettled(underway.values());
    },
  };
}

/**
 * Sends the transfer, perhaps with others, and waits for its proof; up to three times. Only the token's logs prove its
 * outcome: a transaction that succeeds may contain transfers that failed. Doubt is `unknown`. Never rejects.
 */
async function settleTransfer(
  ports: SettlePorts,
  authorization: Authorization,
  attempt: Attempt,
): Promise<SettleOutcome> {
  const fault = findFault(ports, authorization);
  if (fault) return { outcome: 'failed', ...fault };
  const notAfterMs = ports.nowMs() + ports.timeoutMs;
  const item = { ...attempt, authorization, notAfterMs };
  const { from, nonce } = authorization;
  const payment = { payer: lowerHex(from), nonce: lowerHex(nonce) };
  const before = attempt.isTakenOver ? await ports.follow(payment, notAfterMs) : undefined;
  let burnedGas: bigint | undefined;
  let burnedShared = false;
  let sent = before ?? (await ports.window.send(item));
  const read = async (): Promise<TransferResult> => {
    const result = await readOutcome(ports, authorization, sent);
    const isBurned = sent.relayed.outcome === 'mined' && (result === 'unharmed' || result.outcome === 'failed');
    if (isBurned) burnedGas = (burnedGas ?? 0n) + burnedIn(sent, ports.asset);
    return result;
  };
  let outcome = await read();
  // Another program took the nonce, which is no payer's fault: the payments may share the next transaction.
  if (outcome === 'unharmed' && sent.relayed.outcome === 'displaced') {
    sent = await ports.window.send(item);
    outcome = await read();
  }
  if (outcome === 'unharmed' && sent.items > 1 && sent.relayed.outcome !== 'displaced') {
    burnedShared = true;
    sent = await ports.window.sendAlone(item);
    outcome = await read();
  }
  if (outcome === 'unharmed')
    outcome = sent.relayed.outcome === 'displaced' ? notSent : { outcome: 'failed', ...unexplained };
  return outcome.outcome === 'failed' && burnedGas !== undefined ? { ...outcome, burnedGas, burnedShared } : outcome;
}

/**
 * The fee of a transaction, divided among its transfers; empty if the node's answer is malformed, since no sale depends
 * on it.
 */
export function readFee(receipt: object, items: number): { readonly feeGwei?: bigint } {
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt as Partial<Record<keyof TransactionReceipt | 'l1Fee', unknown>>;
  if (typeof gasUsed !== 'bigint' || typeof effectiveGasPrice !== 'bigint') return {};
  const dataWei = typeof l1Fee === 'string' && /^0x[0-9a-f]{1,32}$/i.test(l1Fee) ? BigInt(l1Fee) : 0n;
  const feeGwei = (gasUsed * effectiveGasPrice + dataWei) / BigInt(items) / 1_000_000_000n;
  return feeGwei >= 0n && feeGwei < mostFeeGwei ? { feeGwei } : {};
}

/** A million ether. */
const mostFeeGwei = 10n ** 15n;

/** The gas of a mined transaction, divided among the authorizations that failed in it. */
function burnedIn({ relayed, items }: Sent, asset: Hex): bigint {
  if (relayed.outcome !== 'mined') return 0n;
  const { logs, gasUsed } = relayed.receipt;
  const isUsed = ({ address, topics }: Log) => lowerHex(address) === lowerHex(asset) && topics[0] === eventTopics.used;
  return gasUsed / BigInt(Math.max(items - logs.filter(isUsed).length, 1));
}

const notSent: SettleOutcome = {
  outcome: 'failed',
  reason: 'unexpected_settle_error',
  detail: 'nothing was sent to the chain',
};

/** `unharmed`: the attempt is over, the authorization is unused, and the token would accept it. */
type TransferResult = SettleOutcome | 'unharmed';

async function readOutcome(ports: SettlePorts, authorization: Authorization, sent: Sent): Promise<TransferResult> {
  const { relayed, items } = sent;
  const whenUnused = () => explainUnused(ports, authorization);
  switch (relayed.outcome) {
    case 'refused': {
      ports.log.warn({ detail: relayed.detail }, 'settlement not sent');
      return findPayment(ports, authorization, undefined, async () => notSent);
    }
    case 'unknown':
      return { outcome: 'unknown', detail: relayed.detail };
    case 'mined': {
      const proof = indexTransferProofs(relayed.receipt.logs, ports.asset)(authorization, ports.payTo);
      if (proof?.outcome !== 'settled')
        return findPayment(ports, authorization, relayed.receipt.blockNumber, whenUnused);
      const { transaction, blockNumber } = proof;
      return { outcome: 'settled', transaction, blockNumber, ...readFee(relayed.receipt, items) };
    }
    case 'displaced':
      return findPayment(ports, authorization, relayed.blockNumber, whenUnused);
  }
}

/**
 * This service moved no money up to `atBlock`, or now if undefined. A third party may have: anyone may submit an
 * authorization. A state older than the block proves nothing, since a lagging node of the same address may answer.
 */
async function findPayment(
  ports: SettlePorts,
  authorization: Authorization,
  atBlock: bigint | undefined,
  whenUnused: () => Promise<TransferResult>,
): Promise<TransferResult> {
  try {
    const question = { authorization, ...(atBlock === undefined ? {} : { settledIn: atBlock }) };
    const found = await findTransfer(ports, question);
    switch (found.verdict) {
      case 'settled':
      case 'diverted':
      case 'cancelled':
        return provenOutcome(found);
      case 'unproven':
        return { outcome: 'unknown', detail: 'the nonce may be used, but where is not found yet' };
      case 'open':
      case 'reorged':
      case 'expired':
        return await whenUnused();
    }
  } catch (error) {
    return { outcome: 'unknown', detail: describeFault(error) };
  }
}

/** The authorization is unused and the attempt is over: a simulation shows why the token would refuse it. */
async function explainUnused(ports: SettlePorts, authorization: Authorization): Promise<TransferResult> {
  const verdict = await simulateTransfer(ports, authorization);
  switch (verdict.verdict) {
    case 'good':
      return 'unharmed';
    case 'unavailable':
      return { outcome: 'unknown', detail: verdict.detail };
    case 'refused':
      if (verdict.reason === 'nonce_used') return { outcome: 'unknown', detail: 'the nonce has just been used' };
      return { outcome: 'failed', reason: verdict.reason, detail: verdict.detail };
  }
}
