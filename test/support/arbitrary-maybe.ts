import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absenceReasons, absent, known, type Maybe } from '../../src/absence.js';

/** A known value, or any reason for its absence. */
export function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> {
  return fc.oneof(value.map(known), fc.constantFrom(...absenceReasons).map(absent));
}

/** Fails for an empty value, and for an absence without a reason of the closed list. */
export function assertMaybe(name: string, field: Maybe<unknown>): void {
  const names = Object.keys(field);
  assert.equal(names.length, 1, name);
  if ('absent' in field) assert.ok(absenceReasons.includes(field.absent), `${name}: ${field.absent}`);
  else assert.ok(field.value !== undefined && field.value !== null && field.value !== '', name);
}
