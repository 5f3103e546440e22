import type { Bytes, Rendered } from '../contract/rendered.js';
import type { ServiceError } from '../errors.js';
import type { ProvenReply } from '../payments/build-claim.js';
import type { Decoded, FaultOf } from './decode.js';

/** A request for one operation, free of any transport. */
export interface OperationRequest {
  /** The raw query text without its question mark; empty when there is none. */
  readonly query: string;
  /** Raw path parameters by name, still percent-encoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The payment header, once per occurrence. */
  readonly paymentSignatures: readonly string[];
  /** The SIGN-IN-WITH-X header, once per occurrence. */
  readonly walletProofs: readonly string[];
  readonly ifNoneMatch: string | undefined;
  readonly requestId: string;
  /** Whom to count the request for, as `addressKey` writes it. */
  readonly address: string;
  /** True for HEAD: a paid operation answers 402 without running, a free one answers without its body. */
  readonly headOnly: boolean;
  /** True once the caller has hung up: nothing is charged to it any more. */
  readonly isAbandoned: () => boolean;
}

/**
 * Runs one operation of the contract: a request in, a proven and, if priced, paid reply out. Rejects only if the error
 * reply itself breaks the contract.
 */
export type Run = (request: OperationRequest) => Promise<OperationReply>;

/** The reply of an operation: data until the transport writes it. */
export interface OperationReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a 304. A short text leaves in one piece with the headers. */
  readonly body: Bytes | string | undefined;
  /** The reply's bytes change only when this key does; a transport may keep compressed copies under it. */
  readonly cacheKey?: string;
  /** Told once the reply was handed over whole, or that it was not. Present on a paid reply. */
  readonly onDelivery?: (completed: boolean) => void;
  /** It was paid for before. */
  readonly isRepeated?: true;
  /** For the log of requests. */
  readonly about?: () => ReplyFacts;
}

/** The payment of a reply, as far as it is known. */
export interface ReplyFacts {
  readonly payer?: string;
  readonly paymentId?: string;
  readonly transaction?: string;
}

/** What calls of priced operations come to, and what any may come to. */
export const paidOutcomes = ['asked', 'sold', 'redelivered', 'unmatched'] as const;
export const otherOutcomes = ['refused', 'faulty', 'unchanged', 'limited', 'unavailable', 'failed'] as const;
export type Outcome = (typeof paidOutcomes)[number] | (typeof otherOutcomes)[number] | 'free';

/** What a reply means to whoever counts or logs calls. */
export interface Judged {
  readonly outcome: Outcome;
  /** Of a refusal; `other` where it is not ours. */
  readonly reason?: string;
}

/** A call and its reply, for whoever counts or logs calls. */
export interface AnsweredCall {
  readonly transport: 'http' | 'mcp';
  /** Undefined where the request named none. */
  readonly operationId: string | undefined;
  /** As in `OperationRequest`. */
  readonly query: string;
  /** Whether it came with a payment, good or not. */
  readonly hasPayment: boolean;
  readonly reply: OperationReply;
  readonly ms: number;
}

/** Is told of each call, before its reply is sent. Never throws. */
export type OnAnswered = (call: AnsweredCall) => void;

/** What a handler gets: parameters that the contract has approved. */
export interface HandlerInput<Query, Path> {
  readonly query: Query;
  readonly path: Path;
  /** The SIGN-IN-WITH-X header, once per occurrence; given to free operations only. */
  readonly walletProofs?: readonly string[];
  /** Whom the request is counted for; given to free operations only. */
  readonly address?: string;
}

/** The published feed that answered. */
export interface AnsweringFeed {
  readonly name: string;
  readonly version: number;
  /**
   * What a sold reply depends on beside its parameters: the text that `ReadRevision` returned for the same inputs
   * before the handler ran. Undefined: the ETag is a digest of the reply.
   */
  readonly revision?: string;
}

/**
 * Returns the version of an operation's inputs, which a query may choose, without running its handler; undefined if
 * only the reply's bytes have one.
 */
export type ReadRevision = (
  query: Readonly<Record<string, unknown>>,
) => string | undefined | Promise<string | undefined>;

/** What a handler gives: a declared status and a body of the declared type, or its proven bytes. */
export interface HandlerReply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body | Rendered<Body>;
  /** Default: application/json. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which published feed answered, so that nobody is sold a stale one. */
  readonly feed?: AnsweringFeed;
  /** The leads that it shows, so that none is sold that is held for another buyer. */
  readonly leads?: ProvenReply['leads'];
  /** To be told once: the sale of this reply has ended, however. */
  readonly onSaleEnd?: () => void;
  /** As in `OperationReply`; only from the operation that hands out a paid reply again. */
  readonly cacheKey?: string;
  readonly onDelivery?: (completed: boolean) => void;
}

/**
 * Rules for an operation's parameters that the contract's schemas cannot express. They apply before payment, so their
 * answers reveal nothing that is sold.
 */
export interface ParameterRules {
  /** The error for a path that the contract refuses, paid or not. Default: one with the faults of the parameters. */
  readonly refusePath?: (path: Readonly<Record<string, unknown>>) => ServiceError;
  /** By the name of a parameter: what is wrong with a value that fits its schema, paid or not. */
  readonly faultsOf?: Readonly<Record<string, FaultOf>>;
}

/** What the 402 tells, free, of what a request would buy; undefined where nothing. The same object while it is true. */
export type PreviewAsked = (asked: Decoded, address: string) => Promise<object | undefined>;

/** A handler of decoded parameters that the contract has approved. */
export type Handle = (
  input: Decoded & Pick<HandlerInput<never, never>, 'walletProofs' | 'address'>,
) => HandlerReply | Promise<HandlerReply>;

/** A handler without its types. */
export type AnyHandler = (input: HandlerInput<never, never>) => HandlerReply | Promise<HandlerReply>;
