import type { Operations } from '../../../generated/operations.gen.js';
import type { OperationId } from './operation-paths.js';

/**
 * Path and query parameters of an operation: of a list, one value or several. An operation without parameters accepts
 * none.
 */
export type ParametersOf<Id extends OperationId> = [keyof Declared<Id>] extends [never]
  ? Record<string, never>
  : { [Name in keyof Declared<Id>]: OneOrSeveral<Declared<Id>[Name]> };

type OneOrSeveral<Value> = Value extends readonly (infer Item)[] ? Item | readonly Item[] : Value;

/** True when an operation requires no parameter. */
export type IsOptional<Id extends OperationId> = object extends Declared<Id> ? true : false;

/** The body of an operation's 200. */
export type DataOf<Id extends OperationId> = Operations[Id]['responses'] extends { 200: infer Data } ? Data : never;

type Declared<Id extends OperationId> = PathOf<Operations[Id]['data']> & QueryOf<Operations[Id]['data']>;

type PathOf<Data> = Data extends { path: infer Path extends object } ? Path : unknown;
type QueryOf<Data> = Data extends { query?: infer Query }
  ? [Exclude<Query, undefined>] extends [never]
    ? unknown
    : Exclude<Query, undefined>
  : unknown;
