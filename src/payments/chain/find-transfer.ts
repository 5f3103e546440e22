import { decodeFunctionResult, encodeFunctionData, prepareEncodeFunctionData } from 'viem';
import { aggregate, blockNumberCall, blockTimeCall, readTime } from './aggregate.js';
import type { ChainClient } from './clients.js';
import { lowerHex, type Authorization, type Hex } from './eip3009.js';
import type { CallBudget, TokenLog } from './log-reader.js';
import { tokenAbi } from './token-abi.js';
import { addressTopic, eventTopics, indexTransferProofs, type TransferProof } from './transfer-proof.js';

/** The state of an authorization on the chain. */
export type AuthorizationState =
  | {
      /** settled: paid, by any submitter. diverted, cancelled: the nonce is used, but nothing was paid to us. */
      readonly verdict: 'settled' | 'diverted' | 'cancelled';
      readonly transaction: Hex;
      readonly blockNumber: bigint;
    }
  | {
      /**
       * open: unused, and may still be used. expired: unused, and never can be. reorged: was settled, is open again.
       * unproven: used, but its log is not in the searched time; retry with an earlier `since`.
       */
      readonly verdict: 'open' | 'expired' | 'reorged' | 'unproven';
    };

/** The authorization to look for. */
export interface TransferQuestion {
  readonly authorization: Pick<Authorization, 'from' | 'nonce' | 'value' | 'validBefore'>;
  /** The start of the search. Default: two hours before the end of its window, or before now. */
  readonly since?: Date | undefined;
  /** The block of its known settlement. */
  readonly settledIn?: bigint;
}

/** The chain and the receiver to search. */
export interface TransferSearch {
  readonly client: ChainClient;
  readonly asset: Hex;
  readonly payTo: Hex;
  /** The calls that the search for logs may make. Default: no limit. */
  readonly budget?: CallBudget | undefined;
}

/** Longer than any accepted window. */
export const searchSeconds = 7_200;
/** A reorganization moves the blocks of a time. */
const slackSeconds = 60;
const itemsPerCall = 100;

/** The calls for logs of one question; further ones find the blocks to search. */
const logCallsPerQuestion = 24;

/** The budget of a search for one buyer. Without budget left, nothing is proven. */
export function budgetOfQuestion(): CallBudget {
  return { left: logCallsPerQuestion };
}

/** `findTransfers` for one authorization, within the budget of a question. */
export async function findTransfer(search: TransferSearch, question: TransferQuestion): Promise<AuthorizationState> {
  const [verdict] = await findTransfers({ budget: budgetOfQuestion(), ...search }, [question]);
  if (!verdict) throw new Error('One question has one answer');
  return verdict;
}

/**
 * Reads the states of authorizations, in the order of the questions. One call reads a hundred nonces; the logs are read
 * only until each used nonce is found. Proof of a payment is AuthorizationUsed(payer, nonce) with the Transfer of the
 * exact value to payTo right after it: a used nonce alone may be cancelled or paid to another receiver. An
 * authorization has expired only once a finalized block is past validBefore. A node that lags behind the block of a
 * known settlement proves nothing against it. Throws when the chain does not answer.
 */
export async function findTransfers(
  search: TransferSearch,
  questions: readonly TransferQuestion[],
): Promise<AuthorizationState[]> {
  if (questions.length === 0) return [];
  // First the finalized block: a state that is read later, at or after it, holds for it too.
  const finalized = await search.client.getBlock({ blockTag: 'finalized' });
  if (typeof finalized.number !== 'bigint' || typeof finalized.timestamp !== 'bigint')
    throw new Error('The answer is no finalized block');
  const verdicts: AuthorizationState[] = [];
  for (let start = 0; start < questions.length; start += itemsPerCall) {
    verdicts.push(...(await findSome(search, questions.slice(start, start + itemsPerCall), finalized)));
  }
  return verdicts;
}

async function findSome(
  search: TransferSearch,
  questions: readonly TransferQuestion[],
  finalized: { readonly number: bigint; readonly timestamp: bigint },
): Promise<AuthorizationState[]> {
  const state = await readStates(search, questions);
  const used = questions.filter((_, index) => state.used[index]);
  const logs: TokenLog[] = [];
  for (const span of spansOf(used, state.time)) logs.push(...(await readLogs(search, span, state)));
  const proofOf = indexTransferProofs(logs, search.asset);
  const unproven = used.filter(({ authorization }) => !proofOf(authorization, search.payTo));
  const cancelledLate = await findLateCancellations(search, unproven, state);
  return questions.map(({ authorization, settledIn }, index): AuthorizationState => {
    const proof = proofOf(authorization, search.payTo) ?? cancelledLate(authorization);
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

/**
 * Finds cancellations in the two hours after the window, where no transfer is possible; only for authorizations with a
 * claim in the ledger. Long before these hours are over, a finalized block proves an unused one expired.
 */
async function findLateCancellations(
  search: TransferSearch,
  questions: readonly TransferQuestion[],
  state: ChainState,
): Promise<(authorization: TransferQuestion['authorization']) => TransferProof | undefined> {
  const late = questions.filter(
    ({ authorization, since }) => since !== undefined && authorization.validBefore < BigInt(state.time),
  );
  const ends = late.map(({ authorization }) => Number(authorization.validBefore));
  const span = { from: Math.min(...ends), to: Math.max(...ends) + searchSeconds, questions: late };
  const logs = late.length === 0 ? [] : await readLogs(search, span, state);
  const proofOf = indexTransferProofs(
    logs.filter(({ topics }) => topics[0] === eventTopics.cancelled),
    search.asset,
  );
  return (authorization) => proofOf(authorization, search.payTo);
}

/** The chain at one block: its number, its time in Unix seconds, and which nonces are used. */
interface ChainState {
  readonly blockNumber: bigint;
  readonly time: number;
  readonly used: readonly boolean[];
}

const authorizationState = prepareEncodeFunctionData({ abi: tokenAbi, functionName: 'authorizationState' });

/**
 * Whether an authorization is used, for any purpose; one call. Throws when the chain does not answer, and when a node
 * behind `asOf` (Unix seconds) shows it unused: it may be used meanwhile.
 */
export async function isAuthorizationUsed(
  search: Pick<TransferSearch, 'client' | 'asset'>,
  authorization: Pick<Authorization, 'from' | 'nonce'>,
  asOf: bigint,
): Promise<boolean> {
  const { used, time } = await readStates(search, [{ authorization }]);
  if (used[0] !== true && BigInt(time) < asOf) throw new Error('The node is behind the end of the window');
  return used[0] === true;
}

async function readStates(
  { client, asset }: Pick<TransferSearch, 'client' | 'asset'>,
  questions: readonly { readonly authorization: Pick<Authorization, 'from' | 'nonce'> }[],
): Promise<ChainState> {
  const calls = questions.map(({ authorization: { from, nonce } }) => ({
    target: asset,
    callData: encodeFunctionData({ ...authorizationState, args: [lowerHex(from), nonce] }),
  }));
  const [block, time, ...states] = await aggregate(client, [blockNumberCall, blockTimeCall, ...calls]);
  if (states.length !== calls.length || block?.returnData.length !== 66)
    throw new Error('The answer is to another call');
  return {
    blockNumber: BigInt(block.returnData),
    time: readTime(time).getTime() / 1000,
    used: states.map(({ returnData }) =>
      decodeFunctionResult({ abi: tokenAbi, functionName: 'authorizationState', data: returnData }),
    ),
  };
}

/** The Unix seconds between which these authorizations can have been used. */
interface Span {
  from: number;
  to: number;
  readonly questions: TransferQuestion[];
}

/** The spans of the questions; those that overlap are one, so that their ends are looked up once. */
function spansOf(questions: readonly TransferQuestion[], now: number): readonly Span[] {
  const spans = questions.map((question) => {
    const { authorization, since } = question;
    // The end of a window may be any number of 256 bits.
    const end = authorization.validBefore < BigInt(now) ? Number(authorization.validBefore) : now;
    const from = since === undefined ? end - searchSeconds : since.getTime() / 1000;
    return { from, to: end + slackSeconds, questions: [question] };
  });
  const merged: Span[] = [];
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || span.from > last.to) merged.push(span);
    else {
      last.to = Math.max(last.to, span.to);
      last.questions.push(...span.questions);
    }
  }
  return merged;
}

/**
 * Reads the logs of used authorizations, the newest first, until each is found. All three events have the payer first;
 * second come the nonce, or the payee: so that one call fetches them all.
 */
async function readLogs(
  { client, asset, payTo, budget }: TransferSearch,
  { from, to, questions }: Span,
  state: ChainState,
): Promise<readonly TokenLog[]> {
  const missing = new Set(questions.map(({ authorization: { from, nonce } }) => nameOf(addressTopic(from), nonce)));
  const payers = new Set(questions.map(({ authorization }) => addressTopic(authorization.from)));
  const nonces = questions.map(({ authorization }) => lowerHex(authorization.nonce));
  const topics = [Object.values(eventTopics), [...payers], [...nonces, addressTopic(payTo)]];
  const dateOf = (seconds: number) => new Date(seconds * 1000);
  const fromBlock = await client.times.blockAt(dateOf(from));
  const past = to <= state.time ? await client.times.blockAt(dateOf(to)) : state.blockNumber + 1n;
  const logs: TokenLog[] = [];
  let toBlock = past <= state.blockNumber ? past - 1n : state.blockNumber;
  while (missing.size > 0 && fromBlock <= toBlock) {
    const part = await client.readLogs({ address: asset, topics, fromBlock, toBlock }, 'newest', budget);
    logs.push(...part.logs);
    for (const log of part.logs) {
      // The Transfer of an authorization is in the same block, and so in the same answer.
      const [event, payer, nonce] = log.topics;
      if (event !== eventTopics.transfer && payer && nonce) missing.delete(nameOf(payer, nonce));
    }
    toBlock = part.fromBlock - 1n;
  }
  return logs;
}

function nameOf(payerTopic: Hex, nonce: Hex): string {
  return `${payerTopic} ${lowerHex(nonce)}`;
}
