import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { aggregate, blockNumberCall, blockTimeCall, readTime } from './aggregate.js';
import type { ChainClient } from './clients.js';
import { lowerHex, type Authorization, type Hex } from './eip3009.js';
import type { CallBudget, TokenLog } from './log-reader.js';
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
       * unproven: used, but not in the time that was searched; ask again with more of it.
       */
      readonly verdict: 'open' | 'expired' | 'reorged' | 'unproven';
    };

/** The authorization to look for. */
export interface TransferQuestion {
  readonly authorization: Pick<Authorization, 'from' | 'nonce' | 'value' | 'validBefore'>;
  /** No older transfer is looked for. Default: two hours before the end of its window, or before now. */
  readonly since?: Date | undefined;
  /** The block in which its settlement was seen before. */
  readonly settledIn?: bigint;
}

/** Where to look. */
export interface TransferSearch {
  readonly client: ChainClient;
  readonly asset: Hex;
  readonly payTo: Hex;
  /** The calls that the search for logs may make. Default: no limit. */
  readonly budget?: CallBudget | undefined;
}

/** Longer than any window that is accepted. */
export const searchSeconds = 7_200;
/** Windows begin and end at full ten minutes here: their blocks are then found once for many questions. */
const roundSeconds = 600;
/** After a reorganization the blocks of a time may be others than those that were just found for it. */
const slackSeconds = 60;
const itemsPerCall = 100;

/** Of the 40 calls that a question may cost; the others find the blocks to search. */
const logCallsPerQuestion = 24;

/** What a search for one buyer may cost. Beyond it nothing is proven. */
export function budgetOfQuestion(): CallBudget {
  return { left: logCallsPerQuestion };
}

/** `findTransfers` for one authorization, within the budget of a question. */
export async function findTransfer(search: TransferSearch, question: TransferQuestion): Promise<TransferVerdict> {
  const [verdict] = await findTransfers({ budget: budgetOfQuestion(), ...search }, [question]);
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
  const logs = await readLogs(search, used, state);
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

/** The chain as of one block: its number, its time in Unix seconds, and which nonces are used. */
interface ChainState {
  readonly blockNumber: bigint;
  readonly time: number;
  readonly used: readonly boolean[];
}

async function readStates(
  { client, asset }: TransferSearch,
  questions: readonly TransferQuestion[],
): Promise<ChainState> {
  const calls = questions.map(({ authorization: { from, nonce } }) => ({
    target: asset,
    callData: encodeFunctionData({ abi: tokenAbi, functionName: 'authorizationState', args: [lowerHex(from), nonce] }),
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

/** The blocks in which an authorization can have been used; both ends belong to them. */
interface Blocks {
  readonly from: bigint;
  readonly to: bigint;
}

async function findBlocks(
  { times }: ChainClient,
  { authorization: { validBefore }, since }: TransferQuestion,
  state: ChainState,
): Promise<Blocks> {
  // The end of a window may be any number of 256 bits.
  const isOver = validBefore <= BigInt(state.time);
  const end = isOver ? Number(validBefore) : state.time;
  const start = Math.floor((since === undefined ? end - searchSeconds : since.getTime() / 1000) / roundSeconds);
  const past = isOver
    ? await times.blockAt(dateOf(Math.ceil((end + slackSeconds) / roundSeconds)))
    : state.blockNumber + 1n;
  const to = past <= state.blockNumber ? past - 1n : state.blockNumber;
  return { from: await times.blockAt(dateOf(start)), to };
}

function dateOf(rounds: number): Date {
  return new Date(rounds * roundSeconds * 1000);
}

/**
 * Reads the logs of used authorizations, the newest first, until each is found or its blocks are read. All three events
 * have the payer first; second come the nonce, or the payee: so that one call fetches them all.
 */
async function readLogs(
  { client, asset, payTo, budget }: TransferSearch,
  questions: readonly TransferQuestion[],
  state: ChainState,
): Promise<TokenLog[]> {
  const payers = new Set(questions.map(({ authorization }) => addressTopic(authorization.from)));
  const nonces = questions.map(({ authorization }) => lowerHex(authorization.nonce));
  const topics = [Object.values(eventTopics), [...payers], [...nonces, addressTopic(payTo)]];
  const missing = new Map<string, Blocks>();
  for (const question of questions) {
    const { from, nonce } = question.authorization;
    missing.set(nameOf(addressTopic(from), nonce), await findBlocks(client, question, state));
  }
  const logs: TokenLog[] = [];
  for (;;) {
    const blocks = [...missing.values()].filter(({ from, to }) => from <= to);
    const [first] = blocks;
    if (first === undefined) return logs;
    const range = blocks.reduce(
      ({ from, to }, each) => ({ from: each.from < from ? each.from : from, to: each.to > to ? each.to : to }),
      first,
    );
    const filter = { address: asset, topics, fromBlock: range.from, toBlock: range.to };
    const part = await client.readLogs(filter, 'newest', budget);
    logs.push(...part.logs);
    for (const {
      topics: [event, payer, nonce],
    } of part.logs)
      // The Transfer of an authorization is in the same block, and so in the same answer.
      if (event !== eventTopics.transfer && payer && nonce) missing.delete(nameOf(payer, nonce));
    for (const [name, { from, to }] of missing)
      if (to >= part.fromBlock) missing.set(name, { from, to: part.fromBlock - 1n });
  }
}

function nameOf(payerTopic: Hex, nonce: Hex): string {
  return `${payerTopic} ${lowerHex(nonce)}`;
}
