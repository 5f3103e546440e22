import type { Decoded } from '../contract/paths.js';
import type { Bytes, Rendered } from '../contract/rendered.js';
import type { Reason, ServiceError } from '../errors.js';
import type { ProvenReply } from '../payments/build-claim.js';
import type { FaultOf } from './decode.js';

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
  /** The key of the caller in rate limits, from `addressKey`. */
  readonly address: string;
  /** True for HEAD: a paid operation answers 402 without running, a free one answers without its body. */
  readonly headOnly: boolean;
  /** True once the caller has disconnected; then no payment is charged. */
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
  /** Called once: whether the whole reply was handed over. Present on a paid reply. */
  readonly onDelivery?: (completed: boolean) => void;
  /** The reply of a payment that bought it earlier. */
  readonly isRepeated?: true;
  /** Present on every error of this service. */
  readonly reason?: Reason;
  /** For the log of requests. */
  readonly about?: () => ReplyFacts;
}

/** The known parts of the payment of a reply. */
export interface ReplyFacts {
  readonly payer?: string;
  readonly paymentId?: string;
  readonly transaction?: string;
}

/** A call and its reply, for metrics and the log of requests. */
export interface AnsweredCall {
  readonly transport: 'http' | 'mcp';
  /** Undefined where the request names no operation. */
  readonly operationId: string | undefined;
  /** As in `OperationRequest`. */
  readonly query: string;
  /** Whether the call had a payment, valid or not. */
  readonly hasPayment: boolean;
  readonly reply: OperationReply;
  readonly ms: number;
}

/** Called for each call, before its reply is sent. Never throws. */
export type OnAnswered = (call: AnsweredCall) => void;

/** The input of a handler: parameters that fit the contract. */
export interface HandlerInput<Query, Path> {
  readonly query: Query;
  readonly path: Path;
  /** The SIGN-IN-WITH-X header, once per occurrence; given to free operations only. */
  readonly walletProofs?: readonly string[];
  /** The key of the caller in rate limits; given to free operations only. */
  readonly address?: string;
}

/** The published feed that answered. */
export interface AnsweringFeed {
  readonly name: string;
  readonly version: number;
  /**
   * The version of a sold reply's inputs: what `ReadRevision` returns for the same inputs.
   * Undefined: the ETag is a digest of the body.
   */
  readonly revision?: string;
}

/**
 * Returns the version of an operation's inputs, which a query may choose, without running its handler. Undefined: the
 * ETag is a digest of the body.
 */
export type ReadRevision = (
  query: Readonly<Record<string, unknown>>,
) => string | undefined | Promise<string | undefined>;

/** The output of a handler: a declared status and a body of the declared type, or its proven bytes. */
export interface HandlerReply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body | Rendered<Body>;
  /** Default: application/json. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The published feed of the answer: a reply of an older version is not sold. */
  readonly feed?: AnsweringFeed;
  /** The leads in the reply: none that is held for another buyer is sold. */
  readonly leads?: ProvenReply['leads'];
  /** Called once, when the sale of this reply has ended with any outcome. */
  readonly onSaleEnd?: () => void;
  /** As in `OperationReply`; only from the operation that returns a paid reply again. */
  readonly cacheKey?: string;
  readonly onDelivery?: (completed: boolean) => void;
}

/**
 * Rules for an operation's parameters beyond the contract's schemas. They apply before payment, so their answers reveal
 * nothing that is sold.
 */
export interface ParameterRules {
  /** The error for a path that the contract refuses, paid or not. Default: one with the faults of the parameters. */
  readonly refusePath?: (path: Readonly<Record<string, unknown>>) => ServiceError;
  /** By the name of a parameter: the fault of a value that fits its schema, paid or not. */
  readonly faultsOf?: Readonly<Record<string, FaultOf>>;
}

/** The free preview in a 402 of the reply that is for sale; undefined if none. The same object while it is valid. */
export type PreviewAsked = (asked: Decoded, address: string) => Promise<object | undefined>;

/** A handler of decoded parameters. */
export type Handle = (
  input: Decoded & Pick<HandlerInput<never, never>, 'walletProofs' | 'address'>,
) => HandlerReply | Promise<HandlerReply>;

/** A handler without its types. */
export type AnyHandler = (input: HandlerInput<never, never>) => HandlerReply | Promise<HandlerReply>;
