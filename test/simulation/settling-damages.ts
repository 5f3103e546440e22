import type { Authorization, Hex } from '../../src/payments/chain/eip3009.js';
import type { SettleOutcome } from '../../src/payments/settlement/settler.js';
import type { FacilitatorClient } from '../../src/payments/settlement/facilitator/facilitator-client.js';
import { buildFacilitatorRequest } from '../../src/payments/settlement/facilitator/facilitator-request.js';
import { logsOf } from './chain-logs.js';
import { terms, verifier } from './purchase.js';
import type { Variant } from './variant.js';
import { startMs } from './world.js';

/** Machines that trust every statement about a settlement. */
export const settlingDamages: readonly Variant[] = [
  {
    name: 'trusts the facilitator',
    settler: (settler, { facilitator }) =>
      facilitator === undefined ? settler : { ...settler, settle: (each) => believe(facilitator, each) },
  },
  {
    name: 'takes any mined transaction that the facilitator names for the transfer',
    settler: (settler, { facilitator, node }) =>
      facilitator === undefined
        ? settler
        : {
            ...settler,
            async settle(authorization) {
              const outcome = await believe(facilitator, authorization);
              if (outcome.outcome !== 'settled') return outcome;
              const { transaction } = outcome;
              const receipt = await node.getTransactionReceipt({ hash: transaction }).catch(() => undefined);
              return receipt ? { ...outcome, blockNumber: receipt.blockNumber } : unknown;
            },
          },
  },
  {
    name: "takes a facilitator's silence for a refusal",
    facilitator: (facilitator) => ({
      ...facilitator,
      async settle(request) {
        const answer = await facilitator.settle(request);
        return answer.answer === 'lost' ? { answer: 'not_sent', detail: answer.detail } : answer;
      },
    }),
  },
  {
    name: "takes a facilitator's refusal for the truth",
    settler: (settler) => ({
      ...settler,
      async settle(authorization, attempt) {
        const outcome = await settler.settle(authorization, attempt);
        if (outcome.outcome !== 'unknown' || outcome.reason === undefined) return outcome;
        return { ...outcome, outcome: 'failed', reason: outcome.reason };
      },
    }),
  },
  {
    name: 'takes a mined transaction for a transfer that worked',
    window: (window, chain) => ({
      ...window,
      async send(item) {
        const sent = await window.send(item);
        if (sent.relayed.outcome !== 'mined' || sent.relayed.receipt.logs.length > 0) return sent;
        const { from: payer, ...rest } = item.authorization;
        const transfer = {
          ...rest,
          kind: 'transfer',
          payer,
          transaction: fakeHash,
          atMs: startMs,
          index: 0,
          by: 'us',
        } as const;
        const receipt = { ...sent.relayed.receipt, logs: logsOf(chain, transfer) };
        return { ...sent, relayed: { outcome: 'mined', receipt } };
      },
    }),
  },
];

const fakeHash: Hex = `0x${'c'.repeat(64)}`;
const unknown: SettleOutcome = { outcome: 'unknown', detail: 'there is no proof' };

/** Treats the facilitator's statement as the truth. */
async function believe(facilitator: FacilitatorClient, authorization: Authorization): Promise<SettleOutcome> {
  const request = buildFacilitatorRequest(authorization, { network: terms.network, verifier, sold: undefined });
  const answer = await facilitator.settle(request);
  return answer.answer === 'settled'
    ? { outcome: 'settled', transaction: answer.transaction ?? fakeHash, blockNumber: 1n }
    : unknown;
}
