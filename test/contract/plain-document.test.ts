import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { plainDocument, plainDocument30, type PlainDocument } from '../../src/contract/plain-document.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { findProjectFile } from '../../src/project-file.js';
import { walkNodes, type PlacedSchema, type SchemaNode } from './schema-nodes.js';

const { document, operations } = loadContract();
const plain = plainDocument(document);
const documents = [
  ['/openapi.plain.json', plain],
  ['/openapi.plain-3.0.json', plainDocument30(plain)],
] as const;
const forbidden = [
  ...['if', 'then', 'else', 'not', 'anyOf', 'allOf', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
  ...['unevaluatedItems', 'patternProperties', 'x-absence'],
];

for (const [name, contract] of documents) {
  describe(`${name}, the contract for generators`, () => {
    const components = contract['components'] as Readonly<Record<string, Readonly<Record<string, SchemaNode>>>>;
    const schemas = components['schemas'] ?? {};
    /** Every schema, without the maps of names that `properties` are. */
    const nodes = [...schemasIn(contract)];

    it('is what stands in generated/', () => {
      const written: unknown = JSON.parse(readFileSync(findProjectFile(`generated${name}`), 'utf8'));
      assert.deepEqual(written, JSON.parse(JSON.stringify(contract)));
    });

    it('has each data operation and no other, each with one tag, in JSON alone', () => {
      const data = operations.filter(({ path }) => path.startsWith('/api/'));
      assert.deepEqual(
        Object.keys(contract.paths),
        data.map(({ path }) => path),
      );
      for (const item of Object.values(contract.paths) as { get: { tags: string[] } }[])
        assert.equal(item.get.tags.length, 1);
      const types = Object.values(components['responses'] ?? {}).flatMap(({ content }) => Object.keys(content ?? {}));
      assert.deepEqual([...new Set(types)].sort(), ['application/json', 'application/problem+json']);
    });

    it('has no conditions, and no allOf', () => {
      for (const { pointer, node } of nodes) for (const word of forbidden) assert.ok(!(word in node), pointer + word);
    });

    it('has null only beside a type', () => {
      for (const { pointer, node } of nodes) {
        assert.notEqual(node['type'], 'null', pointer);
        if (Array.isArray(node['type'])) assert.match(node['type'].join(), /^\w+,null$/, pointer);
      }
    });

    it('tells each union by one member: leads by lead_type, events and matches of a lookup by entity', () => {
      const unions = nodes.filter(({ node }) => 'oneOf' in node);
      const tellers = unions.map(({ node }) => (node['discriminator'] as { propertyName: string }).propertyName);
      assert.deepEqual(
        unions.map(({ pointer }, index) => [pointer.split('/').at(-1), tellers[index]]),
        [
          ['Lead', 'lead_type'],
          ['Event', 'entity'],
          ['LookupMatch', 'entity'],
        ],
      );
      for (const { node } of unions) {
        const { propertyName, mapping } = node['discriminator'] as { propertyName: string; mapping: object };
        assert.deepEqual(
          Object.values(mapping),
          (node['oneOf'] as SchemaNode[]).map(({ $ref }) => $ref),
        );
        for (const [value, reference] of Object.entries(mapping) as [string, string][]) {
          const { properties, required } = schemas[reference.split('/').at(-1) ?? ''] ?? {};
          assert.ok((required as string[]).includes(propertyName), reference);
          const member = (properties as Record<string, SchemaNode>)[propertyName];
          const { const: constant, enum: values } = follow(member);
          assert.deepEqual(values ?? [constant], [value]);
        }
      }
    });

    it('lets bodies that are any reply be anything', () => {
      for (const each of ['ResultPage', 'BoughtReply'])
        assert.deepEqual(Object.keys(schemas[each] ?? {}), ['description'], each);
    });

    it('has each enumeration as a schema with a name, of texts alone', () => {
      for (const { pointer, node } of nodes) {
        const values = (node['enum'] ?? []) as unknown[];
        if (values.length > 0) assert.match(pointer, /^#\/components\/schemas\/\w+$/, pointer);
        assert.ok(
          values.every((value) => typeof value === 'string' || value === null),
          pointer,
        );
        assert.ok(['undefined', 'string'].includes(typeof node['const']), pointer);
      }
    });

    it('has no name twice in any section, without regard to case, nor with what generators add', () => {
      const names = Object.values(components).flatMap((section) => Object.keys(section));
      const folded = names.map((each) => each.toLowerCase());
      const ids = operations.map(({ operationId }) => operationId.toLowerCase());
      assert.deepEqual(
        folded.filter((each, index) => folded.indexOf(each) !== index || ids.includes(each)),
        [],
      );
      const added = ['type', 'item', 'inner', 'enum', 'oneof', 'params', 'request', 'response', 'body'];
      const taken = new Set(folded.flatMap((each) => added.map((suffix) => each + suffix)));
      assert.deepEqual(
        folded.filter((each) => taken.has(each)),
        [],
      );
      assert.ok('LeadTypeCode' in schemas && 'SignalTypeCode' in schemas);
    });

    it('has one schema for every error, which requires what every error has', () => {
      const problems = Object.values(components['responses'] ?? {}).flatMap(({ content }) => {
        const { 'application/problem+json': problem } = (content ?? {}) as Record<string, { schema: SchemaNode }>;
        return problem ? [problem.schema['$ref']] : [];
      });
      assert.deepEqual([...new Set(problems)], ['#/components/schemas/Problem']);
      const own = (document.components['schemas'] as Record<string, SchemaNode>)['Problem'];
      const { required, properties } = schemas['Problem'] ?? {};
      assert.deepEqual(required, own?.['required']);
      for (const member of ['accepts', 'resource', 'extensions', 'live_examples', 'coverage'])
        assert.ok(member in (properties as object), member);
    });

    it('leads nowhere but to its own parts, and has no part that nothing leads to', () => {
      const text = JSON.stringify(contract);
      const led = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, place]) => place));
      const own = Object.entries(components).flatMap(([section, parts]) =>
        Object.keys(parts).map((each) => `${section}/${each}`),
      );
      assert.deepEqual([...led].sort(), own.sort());
    });

    function follow(node: SchemaNode = {}): SchemaNode {
      const { $ref } = node;
      return typeof $ref === 'string' ? (schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : node;
    }
  });
}

describe('/openapi.plain-3.0.json', () => {
  it('has what 3.1 writes in another way as 3.0 does', () => {
    const [, [, contract]] = documents;
    assert.equal(contract.openapi, '3.0.3');
    const gone = ['const', 'examples', 'contentSchema', 'contentEncoding', 'contentMediaType'];
    for (const { pointer, node } of schemasIn(contract)) {
      for (const word of gone) assert.ok(!(word in node), `${pointer} ${word}`);
      assert.ok(!Array.isArray(node['type']), pointer);
      if ('$ref' in node) assert.deepEqual(Object.keys(node), ['$ref'], pointer);
    }
  });
});

/** Every schema of a document; the maps of names, which `properties` and sections are, are none. */
function* schemasIn(contract: PlainDocument): Generator<PlacedSchema> {
  for (const placed of walkNodes(contract['components'], '#/components'))
    if (!/(^#\/components(\/\w+)?|\/properties)$/.test(placed.pointer)) yield placed;
}
