import assert from 'node:assert/strict';
import { recordSchemaNotes } from '../../src/records/record-schema-notes.js';
import { loadContract } from '../../src/contract/load-contract.js';

describe('the notes on record fields', () => {
  const { document } = loadContract();
  const notes = recordSchemaNotes(document);

  it('describe each field of each record, and nothing else', () => {
    const records = ['Deal', 'Signal', 'Auction', 'SheriffSaleLead', 'TaxDelinquentLead', 'MotivatedListingLead'];
    const schemas = records.map((name) => document.components['schemas']?.[name] as { properties: object });
    const fields = new Set(schemas.flatMap(({ properties }) => Object.keys(properties)));
    assert.deepEqual(Object.keys(notes).sort(), [...fields].sort());
    for (const [field, note] of Object.entries(notes)) assert.match(note, /^\S.*[^\s]\.$/, field);
  });

  it('list the values of enumerations, including those of any lead', () => {
    assert.match(notes['noi_source'] ?? '', / Values: stated, derived_from_advertised_cap, underwritten\.$/);
    assert.match(notes['lead_type'] ?? '', / Values: sheriff_sale_auction, tax_delinquent_owner, motivated_listing\.$/);
    assert.match(notes['data_quality'] ?? '', /an open list\..*cap_implausible: /);
    assert.doesNotMatch(notes['property_type'] ?? '', /null/);
  });

  it('appear once when a name means the same in all records, else for each', () => {
    assert.equal(notes['zip'], 'Five-digit postal code.');
    assert.equal(
      notes['county'],
      'deal: County name, without the word County; as the source states it, else as the ZIP tells it. ' +
        'signal, auction: County and state label.',
    );
    assert.match(notes['address'] ?? '', /^deal, signal: .* lead: .* a lead always has one\.$/);
  });

  it('describe the field when a schema is shared', () => {
    assert.match(notes['rental_status'] ?? '', /rental path.* Values: Hot, Warm, Pass\.$/);
    for (const field of ['last_verified', 'first_seen', 'last_seen'])
      assert.match(notes[field] ?? '', /^When this service /, field);
  });
});
