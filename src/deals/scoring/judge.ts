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

/**
 * A threshold.
 *
 * @throws RangeError when the rationale lacks it and so cannot be replayed
 */
export function readThreshold(thresholds: Rationale['thresholds'], name: string): string {
  const value = thresholds[name];
  if (value === undefined) {
    throw new RangeError(`threshold ${name} is missing: replay a rationale with the thresholds it was published with`);
  }
  return value;
}

/**
 * A threshold as a number.
 *
 * @throws RangeError as `readThreshold` does
 */
export function readLimit(thresholds: Rationale['thresholds'], name: string): Exact {
  return exactOf(readThreshold(thresholds, name));
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
