import { renderText, type Rendered } from './rendered.js';
import type { Check, Validators } from './validators.js';

/** Holds values of one schema against the contract and renders them. */
export interface Prover<T> {
  /** The value's JSON bytes. @throws ContractBreach when the value breaks the contract. */
  render(value: T): Rendered<T>;
  /** Proves a JSON text that another process rendered. @throws ContractBreach when it breaks the contract. */
  load(json: string): Rendered<T>;
}

/** A reply or a record that breaks the contract. Never reaches a caller; the operator's log says where. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach';
}

/** Creates the prover of the named schema, such as `Deal`. */
export function createProver<T>(validators: Validators, schemaName: string): Prover<T> {
  const check = validators.at<T>(`#/components/schemas/${schemaName}`);
  return {
    render: (value) => {
      assertKept(check, value, schemaName);
      return renderText<T>(JSON.stringify(value));
    },
    load: (json) => {
      assertKept(check, JSON.parse(json), schemaName);
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
