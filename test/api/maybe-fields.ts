import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, isKnown, known, type Maybe } from '../../src/absence.js';
import { deep } from '../support/depth.js';

export const numRuns = deep(400, 60);
/** A value, or any of the reasons for the absence of a source's value. */
export const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> =>
  fc.oneof(
    { arbitrary: values.map(known), weight: 2 },
    fc
      .constantFrom('not_stated_by_source', 'not_published_by_source', 'parse_failed', 'suppressed_by_policy')
      .map(absent),
  );

/** A record of any product, reduced to its absences. */
export type Sold = { readonly absent: Readonly<Record<string, { readonly reason: string } | undefined>> };

/** Asserts that each field is the expected value, or null with the expected reason. */
export function assertFields(record: Sold, expected: Readonly<Record<string, Maybe<unknown>>>): void {
  for (const [name, maybe] of Object.entries(expected)) {
    const value: unknown = Reflect.get(record, name);
    if (isKnown(maybe)) assert.deepEqual([value, record.absent[name]], [maybe.value, undefined], name);
    else assert.deepEqual([value, record.absent[name]?.reason], [null, maybe.absent], name);
  }
}

export function mapMaybe<From, To>(maybe: Maybe<From>, map: (value: From) => To): Maybe<To> {
  return isKnown(maybe) ? known(map(maybe.value)) : maybe;
}
