import type { ChainClient } from '../chain/clients.js';
import { lowerHex, type Hex } from '../chain/eip3009.js';
import {
  budgetOfQuestion,
  findTransfers,
  isAuthorizationUsed,
  type AuthorizationState,
} from '../chain/find-transfer.js';
import type { CallBudget } from '../chain/log-reader.js';
import type { Network } from '../../wire/networks.js';
import type { ChainEvidence, Evidence, EvidenceQuestion } from './resolve-open-payment.js';

export interface ChainEvidenceOptions {
  /** Names a local chain's history; empty on public networks. */
  readonly instance?: string;
}

/** Reads evidence of payments on one network from the chain's own logs. What was paid elsewhere is `unknown` to it. */
export function createChainEvidence(
  client: ChainClient,
  network: Network,
  { instance = '' }: ChainEvidenceOptions = {},
): Evidence {
  async function findMany(
    questions: readonly EvidenceQuestion[],
    budget?: CallBudget,
  ): Promise<readonly ChainEvidence[]> {
    const answers = new Map<EvidenceQuestion, ChainEvidence>();
    const byPayee = new Map<Hex, EvidenceQuestion[]>();
    for (const question of questions) {
      if (question.network !== network.id || lowerHex(question.asset) !== lowerHex(network.asset))
        answers.set(question, { verdict: 'unknown' });
      else if ((question.chainInstance ?? instance) !== instance) answers.set(question, { verdict: 'gone' });
      else {
        const samePayee = byPayee.get(question.payTo);
        if (samePayee === undefined) byPayee.set(question.payTo, [question]);
        else samePayee.push(question);
      }
    }
    for (const [payTo, asked] of byPayee) {
      // Windows that are near each other are searched together.
      asked.sort((a, b) => (a.validBefore < b.validBefore ? -1 : 1));
      const verdicts = await findTransfers(
        { client, asset: network.asset, payTo, budget },
        asked.map(({ payer, nonce, amount, validBefore, searchFrom, settlement }) => ({
          authorization: { from: payer, nonce, value: amount, validBefore },
          since: searchFrom,
          ...(settlement === undefined ? {} : { settledIn: settlement.blockNumber }),
        })),
      );
      for (const [index, verdict] of verdicts.entries()) {
        const question = asked[index];
        if (question) answers.set(question, toEvidence(verdict));
      }
    }
    return questions.map((question) => answers.get(question) ?? { verdict: 'unknown' });
  }

  return {
    isUsed: ({ payer, nonce }, asOf) =>
      isAuthorizationUsed({ client, asset: network.asset }, { from: lowerHex(payer), nonce }, asOf),
    async find(question) {
      const [found] = await findMany([question], budgetOfQuestion());
      return found ?? { verdict: 'unknown' };
    },
    findMany: (questions) => findMany(questions),
  };
}

function toEvidence(found: AuthorizationState): ChainEvidence {
  switch (found.verdict) {
    case 'settled':
      return { verdict: 'settled', transaction: found.transaction, blockNumber: found.blockNumber };
    case 'reorged':
      return { verdict: 'open' };
    // Used, but not in the time that was searched: nothing is proven either way.
    case 'unproven':
      return { verdict: 'unknown' };
    default:
      return { verdict: found.verdict };
  }
}
