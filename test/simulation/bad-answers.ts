import { HttpRequestError, RpcRequestError } from 'viem';
import type { Call } from './model-node.js';
import type { World } from './world.js';

/** An answer that is not the right one. */
export interface BadAnswer {
  readonly kind: BadAnswerKind;
  /** Whether the node gets the call all the same. */
  readonly reaches: boolean;
  /** The method by which it answers, if another. */
  readonly by?: string | undefined;
}

interface Badness {
  /** Whether the node gets the call; undefined: it may. */
  readonly reaches?: boolean;
  /** Only calls of these methods. */
  readonly to?: RegExp;
  readonly status?: number;
  readonly code?: number;
  readonly text?: string;
  readonly by?: string;
  readonly value?: (answer: unknown, call: Call) => unknown;
}

const otherHash = `0x${'d'.repeat(64)}`;
const sending = /^eth_sendRawTransaction/;
const ordinary = /^eth_sendRawTransaction$/;
const sync = /^eth_sendRawTransactionSync$/;
const receipts = /^eth_(sendRawTransactionSync|getTransactionReceipt)$/;

/** The rows of the table of a node's answers, and what stands in them. See docs/decisions/payments.md. */
const badness = {
  'HTTP 502': { status: 502 },
  'HTTP 405': { status: 405, to: sync },
  'HTTP 429': { status: 429, reaches: false },
  'HTML in a 200': { text: 'Unexpected token <' },
  'no answer in time': {},
  'limit exceeded': { code: -32005, text: 'rate limited', reaches: false },
  'method unknown': { code: -32601, text: 'the method does not exist', reaches: false },
  'internal error': { code: -32603, text: 'internal error' },
  'gateway timeout': { code: -32000, text: 'gateway timeout' },
  'transaction rejected': { code: -32003, text: 'transaction could not be relayed' },
  'null for an answer': { value: () => null },
  'hash for an answer': { value: (_, call) => hashOf(call) },
  'text for an answer': { value: () => 'ok', to: /^eth_(send|getTransaction|getLogs|getBlock)/ },
  'hash in place of a receipt': { to: sync, reaches: true, by: 'eth_sendRawTransaction', value: (answer) => answer },
  'receipt of another': { value: (answer) => answer && { ...answer, transactionHash: otherHash }, to: receipts },
  'receipt without logs': { value: (answer) => answer && { ...answer, logs: undefined }, to: receipts },
  'hash of another': { value: () => otherHash, to: ordinary },
  'code 4 without the hash': { code: 4, text: 'timeout', to: sync, reaches: true },
  'code 5': { code: 5, text: 'insufficient funds for gas * price + value', to: sync, reaches: true },
  'said of its own repetition': { code: -32000, text: 'nonce too low', to: ordinary, reaches: true },
  'already known': { code: -32000, text: 'already known', to: sending, reaches: true },
  underpriced: { code: -32000, text: 'transaction underpriced', to: sending },
} as const satisfies Readonly<Record<string, Badness>>;

export type BadAnswerKind = keyof typeof badness;

export const badAnswerKinds = Object.keys(badness) as readonly BadAnswerKind[];

/** Whether a node may answer a call of this method so. */
export function isAnswerTo(method: string, kind: BadAnswerKind, isOwn = false): boolean {
  const { to }: Badness = badness[kind];
  return to === undefined ? !isOwn : to.test(method);
}

/** An answer of a kind; `reaches` where the kind leaves it open. */
export function badAnswerOf(kind: BadAnswerKind, reaches: () => boolean): BadAnswer {
  const given: Badness = badness[kind];
  return { kind, reaches: given.reaches ?? reaches(), by: given.by };
}

/** Rarely, an answer that is not the right one. */
export function drawBadAnswer(
  { faults, badEvery, random, answersBadly }: World,
  method: string,
): BadAnswer | undefined {
  if (answersBadly !== undefined) return answersBadly(method);
  if (badEvery === undefined || faults.stopped) return undefined;
  const draw = random('bad answers');
  // Few calls send anything, and most kinds are about them.
  const isSent = sending.test(method);
  if (!draw.chance((isSent ? 4 : 1) / badEvery)) return undefined;
  const isOwn = isSent && draw.chance(0.6);
  const fitting = badAnswerKinds.filter((each) => isAnswerTo(method, each, isOwn));
  const kind = fitting[draw.below(fitting.length)];
  if (kind === undefined || !faults.tempts('bad answer of a node')) return undefined;
  faults.note('bad answer of a node');
  faults.note(`bad answer, ${kind}`);
  return badAnswerOf(kind, () => draw.chance(0.5));
}

/** Answers so: throws as the transport does, or returns what stands in place of the answer. */
export function giveBadAnswer({ kind }: BadAnswer, url: string, call: Call, answer: unknown): unknown {
  const { status, code, text = '', value }: Badness = badness[kind];
  if (value !== undefined) return value(answer, call);
  if (code === undefined) throw new HttpRequestError({ url, details: text, ...(status && { status }) });
  throw new RpcRequestError({ body: {}, url, error: { code, message: text } });
}

function hashOf({ params: [first] }: Call): unknown {
  return typeof first === 'string' && first.length === 66 ? first : `0x${'e'.repeat(64)}`;
}
