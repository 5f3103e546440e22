import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absenceReasons, absent, known, type Maybe } from '../../src/absence.js';

/** A value that is there, or any reason why it is not. */
export function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> {
  return fc.oneof(value.map(known), fc.constantFrom(...absenceReasons).map(absent));
}

/** Fails for a value that is neither there nor absent for a reason of the closed list, or that is there but empty. */
export function assertMaybe(name: string, field: Maybe<unknown>): void {
  const names = Object.keys(field);
  assert.equal(names.length, 1, name);
  if ('absent' in field) assert.ok(absenceReasons.includes(field.absent), `${name}: ${field.absent}`);
  else assert.ok(field.value !== undefined && field.value !== null && field.value !== '', name);
}
