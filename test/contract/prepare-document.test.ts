import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { load } from 'js-yaml';
import type { ContractDocument } from '../../src/contract/contract.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { prepareDocument } from '../../src/contract/prepare-document.js';
import { walkNodes, type SchemaNode } from './schema-nodes.js';

const { text, document } = loadContract();

describe('the prepared contract', () => {
  it('refuses null without a reason, and a reason beside a value, of each name in x-absence', () => {
    const Record = { type: 'object', 'x-absence': ['noi'], not: { anyOf: [{ properties: { units: { const: 0 } } }] } };
    assert.deepEqual(prepare({ Record })['Record'], {
      type: 'object',
      not: {
        anyOf: [
          { properties: { noi: { type: 'null' }, absent: { not: { required: ['noi'] } } } },
          { properties: { noi: { not: { type: 'null' } }, absent: { required: ['noi'] } } },
          { properties: { units: { const: 0 } } },
        ],
      },
    });
  });

  it('makes one closed object of the parts of an allOf, own members first', () => {
    const Part = { description: 'A part.', type: 'object', required: ['b'], properties: { b: {} }, 'x-absence': ['b'] };
    const Whole = {
      description: 'The whole.',
      type: 'object',
      allOf: [{ $ref: '#/components/schemas/Part' }],
      required: ['a'],
      properties: { a: {} },
      unevaluatedProperties: false,
    };
    const prepared = prepare({ Part, Whole });
    assert.deepEqual(prepared['Whole'], {
      description: 'The whole.',
      type: 'object',
      additionalProperties: false,
      required: ['a', 'b'],
      properties: { a: {}, b: {} },
      not: prepared['Part']?.['not'],
    });
  });

  it('is refused where something would be lost: a keyword of a part, a member that two have, a not of another form', () => {
    const whole = (part: SchemaNode) => ({ allOf: [part], properties: { a: {} }, unevaluatedProperties: false });
    assert.throws(() => prepare({ Whole: whole({ minProperties: 2 }) }), /minProperties, which would be lost/);
    assert.throws(() => prepare({ Whole: whole({ properties: { a: {} } }) }), /member of the same name/);
    assert.throws(() => prepare({ Record: { 'x-absence': ['a'], not: { const: 1 } } }), /must be an anyOf/);
  });

  it('has no shorthand left', () => {
    for (const { pointer, node } of walkNodes(document))
      for (const keyword of ['x-absence', 'allOf', 'unevaluatedProperties']) assert.ok(!(keyword in node), pointer);
  });
});

describe('the contract as it is written', () => {
  it('accepts the examples of the prepared one, as a validator reads it that knows nothing of ours', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    addFormatsModule.default(ajv);
    ajv.addSchema(load(text) as object, 'contract');
    for (const [name, { example }] of Object.entries(document.components['schemas'] as Record<string, SchemaNode>)) {
      if (example === undefined) continue;
      const check = ajv.getSchema(`contract#/components/schemas/${name}`);
      assert.ok(check?.(example), `${name}: ${JSON.stringify(check?.errors?.[0])}`);
    }
  });
});

function prepare(schemas: Record<string, SchemaNode>): Record<string, SchemaNode> {
  const { components } = prepareDocument({ components: { schemas } } as unknown as ContractDocument);
  return components['schemas'] as Record<string, SchemaNode>;
}
