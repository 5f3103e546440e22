import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loadContract } from '../../src/contract/load-contract.js';
import { resolvePointer } from '../../src/contract/read-operations.js';
import { createValidators } from '../../src/contract/validators.js';
import { listMutations, mutationKinds } from './mutate-record.js';
import { isNode } from './schema-nodes.js';

const contract = loadContract();
const validators = createValidators(contract);

/**
 * Draws mutants of up to 60 of the records and has the named schema refuse each. Returns how many of each kind there
 * were.
 */
export function refuseMutants(schemaName: string, records: readonly unknown[], count: number): Map<string, number> {
  const pointer = `#/components/schemas/${schemaName}`;
  const schema = resolvePointer(contract.document, pointer);
  assert.ok(isNode(schema) && records.length > 0);
  const check = validators.at(pointer);
  const step = Math.ceil(records.length / 60);
  const drawn = records.filter((_, index) => index % step === 0);
  for (const record of drawn) assert.ok(check(record), `${schemaName}: ${JSON.stringify(check.faults()[0])}`);
  const byRecord = drawn.map((record) => {
    const mutations = listMutations(contract.document, schema, record);
    return mutationKinds
      .map((kind) => mutations.filter((each) => each.kind === kind))
      .filter(({ length }) => length > 0);
  });
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(fc.nat(drawn.length - 1), fc.noBias(fc.nat()), fc.noBias(fc.nat()), (position, kindIndex, index) => {
      const byKind = byRecord[position] ?? [];
      const ofKind = byKind[kindIndex % byKind.length] ?? [];
      const mutation = ofKind[index % ofKind.length];
      assert.ok(mutation);
      kinds.set(mutation.kind, (kinds.get(mutation.kind) ?? 0) + 1);
      assert.equal(check(mutation.breakRecord(drawn[position])), false, `${schemaName}: ${mutation.label}`);
    }),
    { numRuns: count },
  );
  return kinds;
}
