import fc from 'fast-check';
import { absent, known, type Maybe } from '../../src/absence.js';
import type { UnderwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { buildRent, rates } from './build-listing.js';

/** Rents for 0 to 4 bedrooms around the two-bedroom rent. */
const rentsFrom = (rent2br: number): string[] => [0.8, 0.9, 1, 1.3, 1.4].map((factor) => String(rent2br * factor));

function maybe<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> {
  return fc.oneof(values.map(known), fc.constantFrom(absent('not_stated_by_source'), absent('parse_failed')));
}

const money = fc.integer({ min: -100, max: 2_000_000_000 }).map((cents) => (cents / 100).toFixed(2));
const percent = fc.integer({ min: -100, max: 30_000 }).map((thousandths) => (thousandths / 1000).toFixed(3));
const anyUnitMix = fc.uniqueArray(
  fc.record({ bedrooms: fc.integer({ min: 0, max: 6 }), units: fc.integer({ min: 1, max: 200 }) }),
  { selector: ({ bedrooms }) => bedrooms, maxLength: 4 },
);
/** Inputs with any combination of values and absences. */
export const anyInputs: fc.Arbitrary<UnderwritingInputs> = fc.record({
  listPrice: maybe(money),
  units: maybe(fc.integer({ min: 0, max: 500 })),
  unitMix: maybe(anyUnitMix),
  capRate: maybe(percent),
  noi: maybe(money),
  operatingExpenses: maybe(money),
  expenseItems: maybe(fc.array(fc.record({ name: fc.constant('taxes'), amount: money }), { maxLength: 4 })),
  taxes: maybe(money),
  vacancyPct: maybe(percent),
  yearBuilt: maybe(fc.integer({ min: 1850, max: 2026 })),
  state: fc.constantFrom('OH', 'TX', 'NJ', 'PR'),
  ownerPaysUtilities: fc.boolean(),
  flags: fc.constant([]),
  nonmetropolitan: fc.boolean(),
  isZipElsewhere: fc.constant(false),
  rates: fc.constant(rates),
  rent: fc.oneof(
    fc.integer({ min: 1, max: 4000 }).map((rent) => buildRent(String(rent), { byBedrooms: rentsFrom(rent) })),
    fc.constantFrom(absent('no_hud_rent'), absent('insufficient_inputs')),
  ),
  cashOnlyAuction: fc.boolean(),
});
