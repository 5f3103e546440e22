import { type ChainClient, readHead } from '../chain/clients.js';
import { lowerHex } from '../chain/eip3009.js';
import { findTransfers, type TransferVerdict } from '../chain/find-transfer.js';
import type { Network } from '../../wire/networks.js';
import type { ChainEvidence, Evidence, EvidenceQuestion } from './resolve-open-payment.js';

/** The recent past: more than an hour on Base, where an authorization may live six minutes. */
const recentBlocks = 2_000n;
/** As many as one search of `findTransfers` takes: each search then begins at the oldest block of its own questions. */
const questionsPerSearch = 100;

export interface ChainEvidenceOptions {
  /** Names a local chain's history; empty on public networks. */
  readonly instance?: string;
  /** How many blocks the node lets one eth_getLogs cover. */
  readonly blocksPerCall?: bigint;
}

/** Reads evidence of payments on one network from the chain's own logs. What was paid elsewhere is `unknown` to it. */
export function createChainEvidence(
  client: ChainClient,
  network: Network,
  { instance = '', blocksPerCall }: ChainEvidenceOptions = {},
): Evidence {
  async function firstOfRecent(): Promise<bigint> {
    const newest = await readHead(client);
    return newest > recentBlocks ? newest - recentBlocks : 0n;
  }

  async function findMany(questions: readonly EvidenceQuestion[]): Promise<readonly ChainEvidence[]> {
    const answers = new Map<EvidenceQuestion, ChainEvidence>();
    const byPayee = new Map<string, EvidenceQuestion[]>();
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
    for (const asked of byPayee.values()) {
      const recent = asked.some(({ fromBlock }) => fromBlock === undefined) ? await firstOfRecent() : 0n;
      const dated = asked.map((question) => ({ question, fromBlock: question.fromBlock ?? recent }));
      dated.sort((a, b) => (a.fromBlock < b.fromBlock ? -1 : 1));
      for (let start = 0; start < dated.length; start += questionsPerSearch)
        await search(dated.slice(start, start + questionsPerSearch), answers);
    }
    return questions.map((question) => answers.get(question) ?? { verdict: 'unknown' });
  }

  /** Questions about one payee, oldest first. */
  async function search(
    dated: readonly { readonly question: EvidenceQuestion; readonly fromBlock: bigint }[],
    answers: Map<EvidenceQuestion, ChainEvidence>,
  ): Promise<void> {
    const [oldest] = dated;
    if (oldest === undefined) return;
    const { payTo } = oldest.question;
    const verdicts = await findTransfers(
      {
        client,
        asset: network.asset,
        payTo,
        fromBlock: oldest.fromBlock,
        ...(blocksPerCall === undefined ? {} : { blocksPerCall }),
      },
      dated.map(({ question: { payer, nonce, amount, validBefore, settlement } }) => ({
        authorization: { from: payer, nonce, value: amount, validBefore },
        ...(settlement === undefined ? {} : { settledIn: settlement.blockNumber }),
      })),
    );
    for (const [index, verdict] of verdicts.entries()) {
      const asked = dated[index];
      if (asked) answers.set(asked.question, toEvidence(verdict));
    }
  }

  return {
    async find(question) {
      const [found] = await findMany([question]);
      return found ?? { verdict: 'unknown' };
    },
    findMany,
  };
}

function toEvidence(found: TransferVerdict): ChainEvidence {
  switch (found.verdict) {
    case 'settled':
      return { verdict: 'settled', transaction: found.transaction, blockNumber: found.blockNumber };
    case 'reorged':
      return { verdict: 'open' };
    // Used, but not in the blocks that were searched: nothing is proven either way.
    case 'unproven':
      return { verdict: 'unknown' };
    default:
      return { verdict: found.verdict };
  }
}
