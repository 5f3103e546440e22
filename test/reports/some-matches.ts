import { absent, known } from '../../src/absence.js';
import type { PropertyMatches } from '../../src/matches/property-matches.js';

const record = {
  countyFips: '39035',
  state: 'OH',
  lastSeenAt: new Date('2026-11-20T09:00:00.000Z'),
  sourceUrl: 'https://county.example/1',
  confidence: '0.98',
  matchType: 'exact_normalized',
} as const;
const signal = { ...record, signalType: 'tax_delinquent', parcelId: '123-45-678', amount: '8450.1' } as const;
const auction = {
  ...record,
  auctionType: 'sheriff_sale',
  saleDate: '2026-12-08',
  saleStatus: 'scheduled',
} as const;

/** Two signals and two auctions, one of each with all that a source can say and one with the least. */
export const someMatches: PropertyMatches = {
  signals: [
    { ...signal, id: '7c1f7a52-8f0e-5d3b-a1c4-2d7e9b6f0a31', yearsOwed: known(2) },
    { ...signal, id: '7c1f7a52-8f0e-5d3b-a1c4-2d7e9b6f0a32', yearsOwed: absent('not_published_by_source') },
  ],
  auctions: [
    {
      ...auction,
      id: '7c1f7a52-8f0e-5d3b-a1c4-2d7e9b6f0a33',
      openingBid: known('60000'),
      appraisedValue: known('90000'),
      caseNumber: known('CV-26-123456'),
    },
    {
      ...auction,
      id: '7c1f7a52-8f0e-5d3b-a1c4-2d7e9b6f0a34',
      openingBid: absent('not_stated_by_source'),
      appraisedValue: absent('not_published_by_source'),
      caseNumber: absent('parse_failed'),
    },
  ],
};
