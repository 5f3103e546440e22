import type { Operations } from '../../generated/operations.gen.js';
import type { HandlerInput, HandlerReply } from '../operations/operation.js';

export type OperationId = keyof Operations;

type Parameters<K extends OperationId, Place extends 'query' | 'path'> = Operations[K]['data'] extends {
  [P in Place]?: infer T;
}
  ? Exclude<T, undefined> extends never
    ? Record<string, never>
    : Exclude<T, undefined>
  : Record<string, never>;

type Replies<Declared> = {
  [Status in keyof Declared & number]: HandlerReply<Status, Declared[Status]>;
}[keyof Declared & number];

/** Every declared reply of an operation. A body that does not fit its status does not compile. */
export type Reply<K extends OperationId> = Replies<Operations[K]['responses']> | Replies<Operations[K]['errors']>;

/** The query parameters of some operations. */
export type Query<Operation extends OperationId> = Operation extends unknown
  ? NonNullable<Operations[Operation]['data']['query']>
  : never;

/** Handles one operation: declared parameters in, a declared reply out. It knows nothing about money. */
export type Handler<K extends OperationId> = (
  input: HandlerInput<Parameters<K, 'query'>, Parameters<K, 'path'>>,
) => Reply<K> | Promise<Reply<K>>;

/** A handler for each operation of the contract. A missing or unknown one does not compile. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };
