import { exactOf, type Exact } from '../../underwriting/decimal.js';
import type { PathStatus, Rationale, RationaleCheck, RationaleInput } from './rationale.js';

export type RationaleInputs = Rationale['inputs'];

/** What a path's rule decides from inputs and thresholds alone. */
export interface Verdict {
  readonly status: PathStatus;
  readonly checks: readonly RationaleCheck[];
  readonly reasons: readonly string[];
}

/** A check; undefined when an input is absent. */
export type MaybeCheck = RationaleCheck | undefined;

/** A decimal input; undefined when it is absent. */
export function readDecimal(inputs: RationaleInputs, name: string): Exact | undefined {
  const input = readInput(inputs, name);
  return input === undefined ? undefined : exactOf(input.value);
}

/** A code or flag among the inputs; undefined when it is absent. */
export function readCode(inputs: RationaleInputs, name: string): string | undefined {
  return readInput(inputs, name)?.value;
}

/** Thresholds by name. @throws RangeError for one that is missing: a rationale is replayed with those it names */
export type Thresholds = (name: string) => string;

/** The thresholds of a rule, and those of them that were read: a rationale names only these. */
export function collectThresholds(all: Rationale['thresholds']) {
  const read: Record<string, string> = {};
  const at: Thresholds = (name) => {
    const value = all[name];
    if (value === undefined) throw new RangeError(`threshold ${name} is missing`);
    return (read[name] = value);
  };
  return { at, read };
}

/** Compares an input with a threshold; undefined when either is absent. */
export function check(
  code: string,
  actual: Exact | undefined,
  op: '>=' | '<=' | '<',
  threshold: Exact | string | undefined,
): MaybeCheck {
  if (actual === undefined || threshold === undefined) return undefined;
  const order = actual.cmp(typeof threshold === 'string' ? exactOf(threshold) : threshold);
  const passed = op === '>=' ? order >= 0 : op === '<=' ? order <= 0 : order < 0;
  const shown = typeof threshold === 'string' ? threshold : threshold.toFixed();
  return { code, op, actual: actual.toFixed(), threshold: shown, passed };
}

/** Compares a code with the one that a rule wants. */
export function checkCode(code: string, actual: string, wanted: string): RationaleCheck {
  return { code, op: '==', actual, threshold: wanted, passed: actual === wanted };
}

/** The checks that were made. */
export function made(...checks: readonly MaybeCheck[]): RationaleCheck[] {
  return checks.filter((one) => one !== undefined);
}

/** True when the check was made and passed. */
export function passed(one: MaybeCheck): boolean {
  return one?.passed === true;
}

/** True when the check was made and failed. */
export function failed(one: MaybeCheck): boolean {
  return one?.passed === false;
}

function readInput(inputs: RationaleInputs, name: string): RationaleInput | undefined {
  return Object.hasOwn(inputs, name) ? inputs[name] : undefined;
}
