import assert from 'node:assert/strict';
import { recordSchemaNotes } from '../../src/records/record-schema-notes.js';
import { loadContract } from '../../src/contract/load-contract.js';

describe('what the fields of records mean', () => {
  const { document } = loadContract();
  const notes = recordSchemaNotes(document);

  it('is told of each field of each record, and of nothing else', () => {
    const records = ['Deal', 'Signal', 'Auction', 'SheriffSaleLead', 'TaxDelinquentLead', 'MotivatedListingLead'];
    const schemas = records.map((name) => document.components['schemas']?.[name] as { properties: object });
    const fields = new Set(schemas.flatMap(({ properties }) => Object.keys(properties)));
    assert.deepEqual(Object.keys(notes).sort(), [...fields].sort());
    for (const [field, note] of Object.entries(notes)) assert.match(note, /^\S.*[^\s]\.$/, field);
  });

  it('is told with the values of an enumeration, those of a lead of any kind as well', () => {
    assert.match(notes['noi_source'] ?? '', / Values: stated, derived_from_advertised_cap, underwritten\.$/);
    assert.match(notes['lead_type'] ?? '', / Values: sheriff_sale_auction, tax_delinquent_owner, motivated_listing\.$/);
    assert.match(notes['data_quality'] ?? '', / Values: hud_rent_stale, /);
    assert.doesNotMatch(notes['property_type'] ?? '', /null/);
  });

  it('is told once where all records mean the same by a name, else of each', () => {
    assert.equal(notes['zip'], 'Five-digit postal code.');
    assert.equal(
      notes['county'],
      'deal: County name, without the word County; as the source states it, else as the ZIP tells it. ' +
        'signal, auction: County and state label.',
    );
    assert.match(notes['address'] ?? '', /^deal, signal: .* lead: .* a lead always has one\.$/);
  });

  it('is what the field is, where a schema is shared', () => {
    assert.match(notes['rental_status'] ?? '', /rental path.* Values: Hot, Warm, Pass\.$/);
    for (const field of ['last_verified', 'first_seen', 'last_seen'])
      assert.match(notes[field] ?? '', /^When this service /, field);
  });
});
