import { absent, known } from '../../../src/absence.js';
import type { ObservedAuction } from '../../../src/counties/auctions/auction.js';

const notStated = absent('not_stated_by_source');

/** A sheriff's sale in Cuyahoga County on 10 December 2026; override the relevant fields. The parties are fictional. */
export function observeAuction(overrides: Partial<ObservedAuction> = {}): ObservedAuction {
  return {
    sourceKey: 'a1',
    auctionType: 'sheriff_sale',
    countyFips: '39035',
    state: 'OH',
    saleDate: '2026-12-10',
    address: known('100 Example Ave'),
    city: known('Cleveland'),
    zip: known('44105'),
    parcelId: known('100-20-001'),
    appraisedValue: known('90000'),
    openingBid: known('60000'),
    judgmentAmount: notStated,
    depositRequirement: notStated,
    plaintiff: known('EXAMPLE BANK NA'),
    defendant: known('EXAMPLE HOLDINGS LLC'),
    attorney: notStated,
    caseNumber: known('CV-24-123456'),
    caseStatus: notStated,
    saleStatus: 'scheduled',
    statusHistory: [],
    sourceUrl: 'https://sheriff.example.com/sales/1',
    ...overrides,
  };
}
