import { absent, known } from '../../../src/absence.js';
import type { ObservedSignal } from '../../../src/counties/signals/signal.js';

const notStated = absent('not_stated_by_source');

/** A delinquency in Cuyahoga County with a street address; override the relevant fields. The owner is fictional. */
export function observeSignal(overrides: Partial<ObservedSignal> = {}): ObservedSignal {
  return {
    sourceKey: 's1',
    signalType: 'tax_delinquent',
    countyFips: '39035',
    state: 'OH',
    address: known('100 Example Ave'),
    city: known('Cleveland'),
    zip: known('44105'),
    ownerName: 'EXAMPLE HOLDINGS LLC',
    parcelId: '100-20-001',
    amount: '12345.67',
    sourceUrl: 'https://county.example.com/100-20-001',
    yearsOwed: known(3),
    taxSaleDate: notStated,
    assessedValue: known('90000'),
    sourcePublishedAt: known(new Date('2026-09-01T00:00:00.000Z')),
    listYear: known(2025),
    ...overrides,
  };
}

/** `count` delinquencies of different parcels with keys s0, s1, ... */
export function observeSignals(count: number, overrides: Partial<ObservedSignal> = {}): ObservedSignal[] {
  return Array.from({ length: count }, (_, index) =>
    observeSignal({
      sourceKey: `s${index}`,
      parcelId: `100-20-${String(index + 1).padStart(3, '0')}`,
      address: known(`${index + 1} Example Ave`),
      ...overrides,
    }),
  );
}
