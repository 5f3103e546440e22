import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { assertField, type ServedRecord } from './assert-field.js';
import { auctionMeanings, dealMeanings, signalMeanings, type Meanings } from './meanings.js';
import { readFieldType } from './field-types.js';
import type { Served } from './served.js';
import { auctionFields, dealFields, dealStates, leadFields, readRows, signalFields } from './tables.js';

/** Tests the specification of the sold records, row by row. */
export function specifyRecords(read: () => Served): void {
  let served: Served;
  before(() => void (served = read()));

  /** A test for each row of a record's table, on all sold records. */
  function testFields(
    table: string,
    schemaName: string,
    read: () => readonly ServedRecord[],
    meanings: Meanings,
  ): void {
    for (const { Field: field = '', 'Type / format': type = '', Meaning: meaning } of readRows(table)) {
      it([field, type, meaning].filter((each) => each !== undefined).join(' | '), () => {
        assertField(schemaName, field, readFieldType(type, readValues(meaning)), read());
        meanings[field]?.(served);
      });
    }
  }

  describe('deal record', () => testFields(dealFields, 'Deal', () => asRecords(served.deals), dealMeanings));

  describe('signal record', () =>
    testFields(signalFields, 'Signal', () => asRecords(served.signals.signals), signalMeanings));

  describe('auction record', () =>
    testFields(auctionFields, 'Auction', () => asRecords(served.auctions), auctionMeanings));

  describe('lead record, of a sheriff sale', () => {
    let leads: readonly ServedRecord[];
    before(async function () {
      if (!loadContract().operations.some(({ path }) => path === '/api/leads')) return this.skip();
      const sold = asRecords((await served.buyAt('/api/leads')) as object[]);
      leads = sold.filter((lead) => lead['lead_type'] === 'sheriff_sale_auction');
    });

    for (const { Field: field = '', 'Type / format': cell = '' } of [
      ...readRows(leadFields),
      ...readRows(auctionFields),
    ])
      it(`${field} | ${cell}`, () => {
        assert.ok(leads.length > 0, 'no lead is sold');
        assertField('SheriffSaleLead', field, readFieldType(cell), leads);
        if (field === 'score_rationale')
          for (const { score_rationale: rationale } of leads)
            for (const text of Object.values(rationale as object)) assert.match(String(text), /\d+ points/);
      });
  });

  describe('states of a deal record', () => {
    for (const { Attribute: attribute = '', 'Allowed values': values = '' } of readRows(dealStates)) {
      it(`${attribute} | ${values}`, () => {
        const [field = ''] = attribute.split(' ');
        const seen = new Set(
          asRecords(served.deals)
            .map((deal) => deal[field])
            .filter((value) => value !== null),
        );
        assert.deepEqual(
          [...seen].map(String).sort(),
          readValues(values).sort(),
          'these values, and each of them occurs',
        );
        if (attribute.includes('status filter')) assert.deepEqual(statusFilter().sort(), readValues(values).sort());
      });
    }
  });
}

function asRecords(records: readonly object[]): readonly ServedRecord[] {
  return records as readonly ServedRecord[];
}

/** The values listed in a cell such as "Hot, Warm, Pass (rental path status)". */
function readValues(cell = ''): string[] {
  return (/^[^.(]*/.exec(cell)?.[0] ?? '').split(',').map((each) => each.trim());
}

function statusFilter(): string[] {
  const { components } = loadContract().document;
  return (components['schemas']?.['PathStatus'] as { enum: string[] }).enum.slice();
}
