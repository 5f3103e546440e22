import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { isNode, propertiesOf, type SchemaNode } from './schema-nodes.js';

const { document } = loadContract();

/** Each kind of lead, the record whose fields it has, and what of them a lead says more narrowly. */
const kinds = [
  { lead: 'SheriffSaleLead', record: 'Auction', narrower: ['property_address'], address: 'property_address' },
  { lead: 'TaxDelinquentLead', record: 'Signal', narrower: ['has_address', 'address_status'], address: 'address' },
  { lead: 'MotivatedListingLead', record: 'Deal', narrower: [], address: 'address' },
];
const own = ['lead_type', 'lead_score', 'score_rationale', 'address', 'source_url'];

describe('the schemas of leads', () => {
  for (const { lead, record, narrower, address } of kinds) {
    it(`${lead} has every field of ${record} as that has it, and the score beside them`, () => {
      const ofRecord = fieldsOf(record);
      for (const [name, schema] of fieldsOf(lead)) {
        const known = ofRecord.get(name);
        if (known === undefined) assert.ok(own.includes(name), name);
        else if (name === 'absent') assert.deepEqual(schema, without(known, address), name);
        else if (![...narrower, 'address'].includes(name)) assert.deepEqual(schema, known, name);
      }
      for (const name of ofRecord.keys()) assert.ok(fieldsOf(lead).has(name), name);
    });

    it(`${lead} has the clauses of ${record}, but those of the address that it always has`, () => {
      const isOfAddress = (clause: unknown) => JSON.stringify(clause).includes(`"required":["${address}"]`);
      assert.deepEqual(
        clausesOf(lead),
        clausesOf(record).filter((clause) => !isOfAddress(clause)),
      );
    });
  }
});

function schemaOf(name: string): SchemaNode {
  const schema = document.components['schemas']?.[name];
  assert.ok(isNode(schema), name);
  return schema;
}

function fieldsOf(name: string): ReadonlyMap<string, SchemaNode> {
  return new Map(propertiesOf(schemaOf(name)));
}

function clausesOf(name: string): readonly unknown[] {
  const { not } = schemaOf(name);
  assert.ok(isNode(not) && Array.isArray(not['anyOf']));
  return not['anyOf'] as unknown[];
}

function without(absent: SchemaNode, name: string): SchemaNode {
  return { ...absent, properties: Object.fromEntries(propertiesOf(absent).filter(([each]) => each !== name)) };
}
