import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { walkHeld } from './find-absence-faults.js';
import { isNode, propertiesOf, type SchemaNode } from './schema-nodes.js';

const contract = loadContract();
const { document } = contract;
const schemas = '#/components/schemas/';

describe('examples in the contract', () => {
  it('are what their schema accepts', () => {
    const validators = createValidators(contract);
    const exemplified = [...walkHeld(document)].filter(
      ({ pointer, node }) => pointer.startsWith(schemas) && !pointer.endsWith('/properties') && 'example' in node,
    );
    assert.ok(exemplified.length > 100, `${exemplified.length} examples`);
    for (const { pointer, node } of exemplified) {
      const check = validators.at(pointer);
      assert.ok(check(node['example']), `${pointer}: ${JSON.stringify(check.faults()[0])}`);
    }
  });

  it('show every property: one example of each record, or of each property that is no record itself', () => {
    assert.deepEqual(findUnshown(document), []);
  });

  it('are missed where there is none', () => {
    const copy = structuredClone(document) as unknown as {
      components: { schemas: Record<string, Record<string, unknown>> };
    };
    const { NextStep, SignalList } = copy.components.schemas;
    assert.ok(NextStep && SignalList);
    NextStep['example'] = { title: 'Coverage' };
    SignalList['properties'] = { ...(SignalList['properties'] as object), total: { type: 'integer' } };
    assert.deepEqual(findUnshown(copy), [`${schemas}SignalList: total`, `${schemas}NextStep: url`]);
  });
});

function findUnshown(root: unknown): string[] {
  return [...walkHeld(root)].flatMap(({ pointer, node }) =>
    /^#\/components\/schemas\/[^/]+$/.test(pointer) ? unshownIn(pointer, node, node['example']) : [],
  );
}

function unshownIn(pointer: string, node: SchemaNode, example: unknown): string[] {
  const { items } = node;
  const first = Array.isArray(example) ? (example[0] as unknown) : undefined;
  return [
    ...propertiesOf(node).flatMap(([name, property]) => {
      const shown = property['example'] ?? (isNode(example) ? example[name] : undefined);
      const isShown = shown !== undefined || 'const' in property || isOfOthers(property);
      return [
        ...(isShown ? [] : [`${pointer}: ${name}`]),
        ...unshownIn(`${pointer}/properties/${name}`, property, shown),
      ];
    }),
    ...(isNode(items) ? unshownIn(`${pointer}/items`, items, first) : []),
  ];
}

/** What refers to other schemas, or is made of properties, has their examples. */
function isOfOthers(property: SchemaNode): boolean {
  const { $ref, anyOf, oneOf, items, additionalProperties } = property;
  if ((anyOf ?? oneOf ?? $ref) !== undefined || propertiesOf(property).length > 0) return true;
  return [items, additionalProperties].some((each) => isNode(each) && isOfOthers(each));
}
