import { isKnown, type Maybe } from '../../absence.js';
import type { InputBasis, InputUnit, RationaleInput } from './rationale.js';

/** Collects the inputs of one rationale: known values in `inputs`, the names of absent ones in `missing`. */
export interface InputCollector {
  readonly inputs: Readonly<Record<string, RationaleInput>>;
  readonly missing: readonly string[];
  add(name: string, value: Maybe<string>, unit: InputUnit, basis: InputBasis, asOf: string): void;
}

export function collectInputs(): InputCollector {
  const inputs: Record<string, RationaleInput> = {};
  const missing: string[] = [];
  return {
    inputs,
    missing,
    add(name, value, unit, basis, asOf) {
      if (isKnown(value)) inputs[name] = { value: value.value, unit, basis, asOf };
      else missing.push(name);
    },
  };
}
