import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import type { FieldType } from './field-types.js';

const validators = createValidators(loadContract());

/** A record as sold. */
export type ServedRecord = Readonly<Record<string, unknown>> & {
  readonly absent?: Readonly<Record<string, { readonly reason: string } | undefined>>;
};

/**
 * Asserts a field of a record type: every sold record has it, either of its type or absent with a reason. The contract
 * allows nothing else.
 */
export function assertField(
  schemaName: string,
  field: string,
  type: FieldType,
  records: readonly ServedRecord[],
): void {
  const check = validators.at(`#/components/schemas/${schemaName}`);
  const present = records.filter((record) => record[field] !== null);
  assert.ok(present.length > 0, `${field} is nowhere to be seen`);
  for (const record of records) {
    assert.ok(Object.hasOwn(record, field), `${field} is missing`);
    const reason = record.absent?.[field]?.reason;
    if (record[field] === null) assert.ok(reason, `${field} is null without a reason`);
    else assert.ok(type.holds(record[field]) && reason === undefined, `${field}: ${JSON.stringify(record[field])}`);
  }
  const [some] = present;
  assert.ok(check(some), JSON.stringify(check.faults()[0]));
  for (const wrong of type.wrong)
    assert.equal(check({ ...some, [field]: wrong }), false, `${field} may be ${JSON.stringify(wrong)}`);
  const { [field]: _, ...without } = some ?? {};
  assert.equal(check(without), false, `${field} may be missing`);
  // A required field must not be null, and an optional field needs a reason.
  assert.equal(check({ ...some, [field]: null }), false, `${field} may be null without a reason`);
}
