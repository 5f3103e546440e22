import assert from 'node:assert/strict';
import { ask } from '../support/raw-http.js';
import { readFieldType } from './field-types.js';
import type { Served } from './served.js';
import {
  auctionFields,
  dealFields,
  dealStates,
  leadFields,
  metadataFields,
  readRows,
  signalFields,
  templateFields,
} from './tables.js';

/** Tests the specification of the discovery metadata and the template response, member by member. */
export function specifyDocuments(read: () => Served): void {
  let served: Served;
  before(() => void (served = read()));

  describe('discovery metadata', () => {
    for (const { Field: field = '', 'Type / format': type = '' } of readRows(metadataFields))
      it(`${field} | ${type}`, () => {
        const value = valueAt(served.meta, field);
        assert.ok(readFieldType(type).holds(value), JSON.stringify(value));
      });

    it('pricing maps each endpoint to a price or to free', () => {
      const { protocol: _, network: __, receipt_signer: ___, ...prices } = served.meta.pricing;
      assert.ok(Object.keys(prices).length >= 8);
      for (const price of Object.values(prices)) assert.match(String(price), /^(free|\$\d+\.\d{2})$/);
    });

    for (const [record, table] of Object.entries({ dealFields, signalFields, auctionFields, leadFields }))
      it(`record_schema_notes describes each of the ${record}`, () => {
        const fields = readRows(table).map(({ Field = '' }) => Field);
        assert.deepEqual(
          fields.filter((field) => !served.meta.record_schema_notes[field]),
          [],
        );
      });

    for (const { Attribute = '', 'Allowed values': values = '' } of readRows(dealStates))
      it(`record_schema_notes describes ${Attribute} with its values ${values}`, () => {
        const note = served.meta.record_schema_notes[Attribute.split(' ')[0] ?? ''] ?? '';
        assert.ok(note.includes(values), note);
      });

    it('filters gives an example path that is sold', async () => {
      assert.ok(((await served.buyAt(served.meta.filters.example)) as unknown[]).length > 0);
    });

    it('free_samples are full-fidelity records, equal to those sold', () => {
      const { deals, signals, auctions, leads } = served.meta.free_samples;
      assertSold(deals, served.deals);
      assertSold(signals, served.signals.signals);
      assertSold(auctions, served.auctions);
      assertSold(leads, served.leads);
    });

    it('example_report links to the report of a live deal', async () => {
      const { url } = served.meta.example_report;
      const { deal } = (await served.buyAt(String(url))) as { deal: { id: string } };
      assert.deepEqual(deal, findById(served.deals, deal.id));
    });
  });

  describe('template response', () => {
    let template: unknown;
    before(async () => {
      template = JSON.parse((await ask(served.app.url, '/api/deals/{id}/report')).body.toString());
    });

    for (const { Field: field = '', 'Type / format': type = '' } of readRows(templateFields))
      it(`${field} | ${type}`, () => {
        const value = valueAt(template, field);
        assert.ok(readFieldType(type).holds(value), JSON.stringify(value));
      });

    it('live_examples are report paths of live deals', () => {
      const { live_examples: examples } = template as { live_examples: { url: string }[] };
      const sold = new Set(served.ids.ids.map(({ report_url: url }) => url));
      for (const { url } of examples) assert.ok(sold.has(url), url);
    });

    it('free_id_index is the address of the ids, and note_billing says that nothing was charged', async () => {
      const { free_id_index: index, note_billing: note } = template as Record<string, string>;
      assert.equal((await ask(served.app.url, index ?? '')).status, 200);
      assert.match(note ?? '', /no charge/i);
    });
  });
}

function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((node, name) => Reflect.get(Object(node), name), document);
}

function assertSold<T extends { readonly id: string }>(samples: readonly T[], sold: readonly T[]): void {
  assert.ok(samples.length > 0);
  for (const sample of samples) assert.deepEqual(sample, findById(sold, sample.id));
}

function findById<T extends { readonly id: string }>(records: readonly T[], id: string): T | undefined {
  return records.find((record) => record.id === id);
}
