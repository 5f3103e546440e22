import type { Operations } from '../../generated/operations.gen.js';
import type { OperationId } from './operation-paths.js';

/** Parameters of an operation, of its path and its query together. */
export type ParametersOf<Id extends OperationId> = Given<
  PathOf<Operations[Id]['data']> & QueryOf<Operations[Id]['data']>
>;

/** The body of an operation's 200. */
export type DataOf<Id extends OperationId> = Operations[Id]['responses'] extends { 200: infer Data } ? Data : never;

/** Operations that can be asked without any parameter. */
export type IsOptional<Id extends OperationId> = object extends ParametersOf<Id> ? true : false;

/** Where there is nothing to give, nothing can be given. */
type Given<Parameters> = [keyof Parameters] extends [never] ? Record<string, never> : Parameters;
type PathOf<Data> = Data extends { path: infer Path extends object } ? Path : unknown;
type QueryOf<Data> = Data extends { query?: infer Query }
  ? [Exclude<Query, undefined>] extends [never]
    ? unknown
    : Exclude<Query, undefined>
  : unknown;
