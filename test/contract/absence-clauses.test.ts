import assert from 'node:assert/strict';
import { absenceReasons } from '../../src/absence.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { resolvePointer } from '../../src/contract/read-operations.js';
import { findAbsenceFaults, walkHeld } from './find-absence-faults.js';
import { sliceOf } from '../support/depth.js';
import { admitsNull, isNode, propertiesOf, walkNodes, type SchemaNode } from './schema-nodes.js';

const { document } = loadContract();

describe('absence in the contract', () => {
  it('gives every nullable property its two clauses and its entry in absent', () => {
    assert.deepEqual(findAbsenceFaults(document), []);
  });

  it('has nullable properties to speak of', () => {
    const nullable = [...walkHeld(document)].flatMap(({ node }) =>
      propertiesOf(node).filter(([, each]) => admitsNull(document, each)),
    );
    assert.ok(nullable.length >= 30, `${nullable.length} nullable properties`);
  });

  it('notices each clause of each record when it is taken away', () => {
    for (const { pointer, node } of walkHeld(document)) {
      const clauses = absenceClauses(node);
      for (const clause of sliceOf(clauses, 6)) {
        const mutant = mutate(pointer, (schema) => {
          const kept = absenceClauses(schema).filter((each) => JSON.stringify(each) !== JSON.stringify(clause));
          schema['not'] = { anyOf: kept };
        });
        assert.notDeepEqual(findAbsenceFaults(mutant), [], `${pointer} without ${JSON.stringify(clause)}`);
      }
    }
  });

  it('notices a nullable property that is added without its clauses', () => {
    for (const nullable of [{ type: ['string', 'null'] }, { enum: ['a', null] }, { anyOf: [{ type: 'null' }, {}] }]) {
      const mutant = mutate('#/components/schemas/NextStep', (schema) => {
        schema['properties'] = { ...(schema['properties'] as SchemaNode), hint: nullable };
      });
      assert.deepEqual(
        findAbsenceFaults(mutant).map((fault) => fault.replace(/^.*: /, '')),
        [
          'hint may be null without a reason',
          'hint may have a value beside a reason',
          'hint has no entry in absent',
          'hint may be missing',
          'absent may be missing',
        ],
      );
    }
  });

  it('notices null where it is no property: an item, or a value of a map', () => {
    const mutant = mutate('#/components/schemas/DealList', (schema) => {
      schema['items'] = { type: ['object', 'null'] };
    });
    assert.deepEqual(findAbsenceFaults(mutant), ['#/components/schemas/DealList/items may be null and is no property']);
  });

  it('notices an entry in absent for what is never null', () => {
    const mutant = mutate('#/components/schemas/Deal/properties/absent', (schema) => {
      schema['properties'] = { ...(schema['properties'] as SchemaNode), city: {} };
    });
    assert.deepEqual(findAbsenceFaults(mutant), ['#/components/schemas/Deal: absent names city, which is never null']);
  });

  it('lets a record state only reasons of the closed list, and describes no reason that cannot be stated', () => {
    const stated = [...walkNodes(document)]
      .flatMap(({ node }) => propertiesOf(node).filter(([name]) => name === 'absent'))
      .flatMap(([, absent]) => propertiesOf(absent))
      .map(([, entry]) => resolvePointer(document, String(entry['$ref'])));
    assert.ok(stated.length > 0);
    for (const entry of stated) {
      assert.ok(isNode(entry));
      const reason = propertiesOf(entry).find(([name]) => name === 'reason')?.[1];
      const values = reason?.['enum'];
      assert.ok(Array.isArray(values) && values.length > 0);
      for (const value of values)
        assert.ok(
          absenceReasons.some((each) => each === value),
          String(value),
        );
    }
  });
});

function absenceClauses(node: SchemaNode): SchemaNode[] {
  const not = node['not'];
  if (!isNode(not) || !Array.isArray(not['anyOf'])) return [];
  // The clauses about statuses are proven by mutants of records.
  return (not['anyOf'] as SchemaNode[]).filter((clause) => /"required":\[/.test(JSON.stringify(clause)));
}

function mutate(pointer: string, change: (schema: Record<string, unknown>) => void): unknown {
  const copy = structuredClone(document);
  const schema = resolvePointer(copy, pointer);
  assert.ok(isNode(schema));
  change(schema as Record<string, unknown>);
  return copy;
}
