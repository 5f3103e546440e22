import type { TransactionReceipt } from 'viem';
import type { ChainClient } from '../../chain/clients.js';
import type { Authorization, Hex } from '../../chain/eip3009.js';
import { findTransfer } from '../../chain/find-transfer.js';
import { indexTransferProofs } from '../../chain/transfer-proof.js';
import type { Log } from '../../log.js';
import type { SettleOutcome } from '../settler.js';
import { awaitReceipt } from './await-receipt.js';
import { describeFault } from './describe-fault.js';
import { encodeTransfer } from './encode-transfer.js';
import type { Relayer, SignedTransaction } from './relayer.js';
import { findFault, unexplained, verifyTransfer } from './verify-transfer.js';
import type { VerifyPorts } from './verify-transfer.js';

export interface SettlePorts extends VerifyPorts {
  readonly client: ChainClient;
  readonly relayer: Relayer;
  readonly asset: Hex;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn'>;
  readonly closing: AbortSignal;
  readonly timeoutMs: number;
  readonly keep: (authorization: Authorization, transaction: SignedTransaction) => Promise<void>;
}

/**
 * Gas for one transfer: more than twice what a plain account's first payment uses on USDC, with room for a contract
 * wallet's own check. Explicit, since an estimate would cost a round trip and may be wrong by the time it is used.
 */
export const transferGas = 400_000n;
/** How far back somebody else's settlement is looked for: an hour on Base, far longer than an authorization may live. */
const lookBackBlocks = 2_000n;

/** Sends the transfer and waits for its proof. Whatever is not certain is `unknown`. Never rejects. */
export async function settleTransfer(ports: SettlePorts, authorization: Authorization): Promise<SettleOutcome> {
  const fault = findFault(ports, authorization);
  if (fault) return { outcome: 'failed', ...fault };
  const endMs = ports.now().getTime() + ports.timeoutMs;
  const data = encodeTransfer(authorization, ports.verifier);
  const call = { to: ports.asset, data, gas: transferGas, notAfter: new Date(endMs) };
  const sent = await ports.relayer.send(call, (transaction) => ports.keep(authorization, transaction));
  if (sent.outcome === 'refused') {
    ports.log.warn({ relayer: ports.relayer.address, detail: sent.detail }, 'A settlement could not be sent');
    return { outcome: 'failed', reason: 'unexpected_settle_error', detail: 'nothing was sent to the chain' };
  }
  const receipt = await awaitReceipt(ports, sent.transaction, endMs);
  if (!receipt) return { outcome: 'unknown', detail: `there is no receipt yet for ${sent.transaction.hash}` };
  const proof = indexTransferProofs(receipt.logs, ports.asset)(authorization, ports.payTo);
  if (proof?.outcome !== 'settled') return explainFailure(ports, authorization, receipt);
  const { transaction, blockNumber } = proof;
  return { outcome: 'settled', transaction, blockNumber };
}

/** Our transaction moved no money. Perhaps somebody else's did: anyone may submit an authorization. */
async function explainFailure(
  ports: SettlePorts,
  authorization: Authorization,
  { blockNumber }: TransactionReceipt,
): Promise<SettleOutcome> {
  const fromBlock = blockNumber > lookBackBlocks ? blockNumber - lookBackBlocks : 0n;
  try {
    const found = await findTransfer({ ...ports, fromBlock }, { authorization });
    switch (found.verdict) {
      case 'settled':
        return { outcome: 'settled', transaction: found.transaction, blockNumber: found.blockNumber };
      case 'diverted':
        return { outcome: 'failed', reason: unexplained.reason, detail: 'the authorization paid somebody else' };
      case 'cancelled':
        return { outcome: 'failed', reason: unexplained.reason, detail: 'the payer cancelled the authorization' };
      case 'unproven':
        return { outcome: 'unknown', detail: 'the nonce is used, but where is not found yet' };
      case 'open':
      case 'reorged':
      case 'expired':
        return explainUnused(ports, authorization);
    }
  } catch (error) {
    return { outcome: 'unknown', detail: describeFault(error) };
  }
}

/** The authorization is unused and our attempt is over: the token itself says why it would not take it. */
async function explainUnused(ports: SettlePorts, authorization: Authorization): Promise<SettleOutcome> {
  const verdict = await verifyTransfer(ports, authorization);
  if (verdict.verdict !== 'refused') return { outcome: 'failed', ...unexplained };
  const { reason, detail } = verdict;
  if (reason === 'nonce_used') return { outcome: 'unknown', detail: 'the nonce has just been used' };
  return { outcome: 'failed', reason, detail };
}
