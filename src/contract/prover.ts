import { hash } from 'node:crypto';
import { renderAround, renderText, type Rendered } from './rendered.js';
import type { Check, Validators } from './validators.js';

/** The JSON text of a value that was held against the contract. Only this room makes one. */
export type ProvenText<T> = string & { readonly [provenValue]: T };
declare const provenValue: unique symbol;

/** Holds values of one schema against the contract and renders them. */
export interface Prover<T> {
  /** The value's JSON text. @throws ContractBreach when the value breaks the contract. */
  prove(value: T): ProvenText<T>;
  /** The value's JSON bytes. @throws ContractBreach when the value breaks the contract. */
  render(value: T): Rendered<T>;
  /** What a proven text is known by later, in any process, as long as the contract stays what it is; base64. */
  sealOf(text: ProvenText<T>): string;
  /**
   * Proves a JSON text that another process rendered, unless its seal tells that this was done against this very
   * contract.
   * @throws ContractBreach when it breaks the contract.
   */
  load(json: string, seal?: string): Rendered<T>;
}

/** A reply or a record that breaks the contract. Never reaches a caller; the operator's log says where. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach';
}

/** Creates the prover of the named schema, such as `Deal`. */
export function createProver<T>(validators: Validators, schemaName: string): Prover<T> {
  const check = validators.at<T>(`#/components/schemas/${schemaName}`);
  const prove = (value: T): ProvenText<T> => {
    assertKept(check, value, schemaName);
    return JSON.stringify(value) as ProvenText<T>;
  };
  const sealOf = (text: string): string => hash('sha256', `${validators.schemasDigest}${schemaName}${text}`, 'base64');
  return {
    prove,
    sealOf,
    render: (value) => renderText<T>(prove(value)),
    load: (json, seal) => {
      if (seal === undefined || seal !== sealOf(json)) assertKept(check, JSON.parse(json), schemaName);
      return renderText<T>(json);
    },
  };
}

/** @throws ContractBreach naming the places that break the contract, without their values. */
export function assertKept<T>(check: Check<T>, value: unknown, what: string): asserts value is T {
  if (check(value)) return;
  const places = check.faults().map((fault) => `${fault.instancePath || '/'} ${fault.message ?? fault.keyword}`);
  throw new ContractBreach(`${what} breaks the contract: ${places.slice(0, 5).join('; ')}`);
}

/** Renders an object around a list whose records were proven one by one. */
export type RenderAround<T, Key extends keyof T> = (
  rest: Omit<T, Key>,
  list: Rendered<readonly unknown[]>,
) => Rendered<T>;

/**
 * Creates the renderer of the named schema, such as `SignalList`, whose records stand under `key`. The object is proven
 * with an empty list; that there are not more records than the contract allows is the caller's word.
 */
export function createAroundRenderer<T extends object, Key extends keyof T & string>(
  validators: Validators,
  schemaName: string,
  key: Key,
): RenderAround<T, Key> {
  const check = validators.at<T>(`#/components/schemas/${schemaName}`);
  return (rest, list) => {
    const value = { [key]: [], ...rest };
    assertKept(check, value, schemaName);
    return renderAround<T>(JSON.stringify(value), key, list);
  };
}
