import { decodeFunctionResult, encodeFunctionData, formatLog, numberToHex, type Log } from 'viem';
import { aggregate, blockNumberCall } from './aggregate.js';
import type { ChainClient } from './clients.js';
import { lowerHex, type Authorization, type Hex } from './eip3009.js';
import { tokenAbi } from './token-abi.js';
import { addressTopic, eventTopics, indexTransferProofs } from './transfer-proof.js';

/** What became of an authorization, as far as the chain tells. */
export type TransferVerdict =
  | {
      /** settled: paid, by whomever it was submitted. diverted, cancelled: the nonce is spent, and not on us. */
      readonly verdict: 'settled' | 'diverted' | 'cancelled';
      readonly transaction: Hex;
      readonly blockNumber: bigint;
    }
  | {
      /**
       * open: unused, and may still be used. expired: unused, and never can be. reorged: was settled, is open again.
       * unproven: used, but not in the blocks that were searched; ask again with more of them.
       */
      readonly verdict: 'open' | 'expired' | 'reorged' | 'unproven';
    };

/** The authorization to look for. */
export interface TransferQuestion {
  readonly authorization: Pick<Authorization, 'from' | 'nonce' | 'value' | 'validBefore'>;
  /** The block in which its settlement was seen before. */
  readonly settledIn?: bigint;
}

/** Where to look. */
export interface TransferSearch {
  readonly client: ChainClient;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly fromBlock: bigint;
  /** Default: the newest. */
  readonly toBlock?: bigint;
  /** How many blocks the node lets one eth_getLogs cover. */
  readonly blocksPerCall?: bigint;
}

const itemsPerCall = 100;

/** `findTransfers` for one authorization. */
export async function findTransfer(search: TransferSearch, question: TransferQuestion): Promise<TransferVerdict> {
  const [verdict] = await findTransfers(search, [question]);
  if (!verdict) throw new Error('One question has one answer');
  return verdict;
}

/**
 * Asks the chain what became of authorizations, in the order of the questions, with two calls per hundred; where none
 * of them is used, with one. The logs are read only until each used one is found. Proof of a payment is
 * AuthorizationUsed(payer, nonce) with the Transfer of the exact value to payTo right after it: a used nonce alone may
 * be a cancelled one or one that was spent elsewhere. An authorization has expired only once a finalized block is past
 * validBefore. A node that has not seen the block of a known settlement yet proves nothing against it. Throws when the
 * chain cannot be asked.
 */
export async function findTransfers(
  search: TransferSearch,
  questions: readonly TransferQuestion[],
): Promise<TransferVerdict[]> {
  if (questions.length === 0) return [];
  // First the finalized block: a state that is read later, at or after it, holds for it too.
  const finalized = await search.client.getBlock({ blockTag: 'finalized' });
  if (typeof finalized.number !== 'bigint' || typeof finalized.timestamp !== 'bigint')
    throw new Error('The answer is no finalized block');
  const verdicts: TransferVerdict[] = [];
  for (let start = 0; start < questions.length; start += itemsPerCall) {
    verdicts.push(...(await findSome(search, questions.slice(start, start + itemsPerCall), finalized)));
  }
  return verdicts;
}

async function findSome(
  search: TransferSearch,
  questions: readonly TransferQuestion[],
  finalized: { readonly number: bigint; readonly timestamp: bigint },
): Promise<TransferVerdict[]> {
  const state = await readStates(search, questions);
  const used = questions.filter((_, index) => state.used[index]);
  const logs = used.length > 0 ? await readLogs(search, used, state.blockNumber) : [];
  const proofOf = indexTransferProofs(logs, search.asset);
  return questions.map(({ authorization, settledIn }, index): TransferVerdict => {
    const proof = proofOf(authorization, search.payTo);
    if (proof) {
      const { outcome, transaction, blockNumber } = proof;
      return { verdict: outcome, transaction, blockNumber };
    }
    if (state.used[index] || state.blockNumber < (settledIn ?? 0n)) return { verdict: 'unproven' };
    const isPast = finalized.timestamp >= authorization.validBefore && state.blockNumber >= finalized.number;
    if (isPast) return { verdict: 'expired' };
    return { verdict: settledIn === undefined ? 'open' : 'reorged' };
  });
}

/** Which nonces are used, and the block in which that is so. */
async function readStates(
  { client, asset }: TransferSearch,
  questions: readonly TransferQuestion[],
): Promise<{ readonly blockNumber: bigint; readonly used: readonly boolean[] }> {
  const calls = questions.map(({ authorization: { from, nonce } }) => ({
    target: asset,
    callData: encodeFunctionData({ abi: tokenAbi, functionName: 'authorizationState', args: [lowerHex(from), nonce] }),
  }));
  const [block, ...states] = await aggregate(client, [blockNumberCall, ...calls]);
  if (states.length !== calls.length || block?.returnData.length !== 66)
    throw new Error('The answer is to another call');
  return {
    blockNumber: BigInt(block.returnData),
    used: states.map(({ returnData }) =>
      decodeFunctionResult({ abi: tokenAbi, functionName: 'authorizationState', data: returnData }),
    ),
  };
}

/** All three events have the payer first; second come the nonce, or the payee: so that one call fetches them all. */
async function readLogs(
  { client, asset, payTo, fromBlock, toBlock, blocksPerCall = 2_000n }: TransferSearch,
  questions: readonly TransferQuestion[],
  newestBlock: bigint,
): Promise<Log<bigint, number, false>[]> {
  const payers = new Set(questions.map(({ authorization }) => addressTopic(authorization.from)));
  const nonces = questions.map(({ authorization }) => lowerHex(authorization.nonce));
  const topics = [Object.values(eventTopics), [...payers], [...nonces, addressTopic(payTo)]];
  const last = toBlock ?? newestBlock;
  const logs: Log<bigint, number, false>[] = [];
  const missing = new Set(questions.map(({ authorization: { from, nonce } }) => nameOf(addressTopic(from), nonce)));
  for (let first = fromBlock; first <= last && missing.size > 0; first += blocksPerCall) {
    const end = first + blocksPerCall - 1n;
    const range = { fromBlock: numberToHex(first), toBlock: numberToHex(end < last ? end : last) };
    const found = await client.request({ method: 'eth_getLogs', params: [{ address: asset, topics, ...range }] });
    for (const log of found) {
      if (log.blockNumber === null) continue;
      logs.push(formatLog(log) as Log<bigint, number, false>);
      // The Transfer of an authorization is in the same block, and so in the same answer.
      const [event, payer, nonce] = log.topics;
      if (event !== eventTopics.transfer && payer && nonce) missing.delete(nameOf(payer, nonce));
    }
  }
  return logs;
}

function nameOf(payerTopic: Hex, nonce: Hex): string {
  return `${payerTopic} ${lowerHex(nonce)}`;
}
