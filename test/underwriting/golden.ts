import assert from 'node:assert/strict';
import type { Decimal } from 'decimal.js';
import { Exact } from '../../src/underwriting/decimal.js';
import { goldenCases } from './golden-cases.js';

type GoldenCase = (typeof goldenCases)[number];

/** A published worked example. */
export function golden<I extends GoldenCase['id']>(id: I): Extract<GoldenCase, { id: I }> {
  const found = goldenCases.find((one): one is Extract<GoldenCase, { id: I }> => one.id === id);
  assert.ok(found, `${id} is missing`);
  return found;
}

/** Compares a figure with a published one, within an absolute tolerance. */
export function near(actual: Decimal.Value, published: number, tolerance: number): void {
  const gap = new Exact(actual).minus(published).abs();
  assert.ok(gap.lte(tolerance), `${new Exact(actual).toFixed(6)} is not within ${tolerance} of ${published}`);
}
