import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, isKnown, known, valueOf, type Maybe } from '../../src/absence.js';
import { assumptionSet } from '../../src/underwriting/assumption-set.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import { underwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import type { UnderwritingInputs } from '../../src/underwriting/underwriting.js';
import { buildInputs, buildListing, buildRent } from './build-listing.js';

const underwrite = createUnderwrite(assumptionSet);

/** Six units in ZIP 44105 at its FY2025 SAFMR of $1,000 (HUD, `fy2025_safmrs_revised.xlsx`). */
const cleveland = buildInputs({
  listPrice: known('420000'),
  units: known(6),
  capRate: known('9.2'),
  rent: buildRent('1000'),
});

describe('createUnderwrite', () => {
  it('underwrites a listing to the cent and names its assumption set', () => {
    const { rent: _, ...figures } = underwrite(cleveland);
    assert.deepEqual(figures, {
      assumptionSet: 'uw-1.0.0',
      noi: known('38640.00'),
      noiSource: known('derived_from_advertised_cap'),
      noiUnderwritten: known('36828.00'),
      capRateUnderwritten: known('8.77'),
      capGapPct: known('0.43'),
      dscr: known('1.58'),
      dscrStatus: 'computed',
      dscrUnderwritten: known('1.50'),
      reliability: 'ok',
      grossPotentialRent: known('72000.00'),
      effectiveGrossIncome: known('66960.00'),
      operatingExpenses: known('30132.00'),
      loan: known('315000.00'),
      annualDebtService: known('24517.01'),
      debtYieldPct: known('12.27'),
      breakEvenOccupancyPct: known('75.90'),
      pricePerUnit: known('70000.00'),
      grossRentMultiplier: known('5.83'),
      dataQuality: ['hud_rent_stale'],
    });
  });

  it('prefers the stated NOI to the advertised cap, and the advertised cap to the underwriting', () => {
    const stated = underwrite({ ...cleveland, noi: known('40000') });
    assert.deepEqual([stated.noi, stated.noiSource], [known('40000.00'), known('stated')]);
    const none = underwrite({ ...cleveland, capRate: absent('not_stated_by_source') });
    assert.deepEqual([none.noi, none.noiSource], [known('36828.00'), known('underwritten')]);
    assert.deepEqual(none.capGapPct, absent('insufficient_inputs'));
  });

  it('reflects the advertised cap in the DSCR: 8.5% is 1.46 at any price', () => {
    for (const price of ['150000', '420000', '9999999']) {
      const { dscr } = underwrite({ ...cleveland, listPrice: known(price), capRate: known('8.5') });
      assert.deepEqual(dscr, known('1.46'));
    }
  });

  it('uses the advertised cap as published, with two digits', () => {
    const { noi, capGapPct } = underwrite({ ...cleveland, capRate: known('9.204') });
    assert.deepEqual([noi, capGapPct], [known('38640.00'), known('0.43')]);
  });

  it('derives nothing from an advertised cap of zero or a HUD rent of zero', () => {
    const none = underwrite({ ...cleveland, capRate: known('0') });
    assert.deepEqual([none.noi, none.noiSource], [known('36828.00'), known('underwritten')]);
    assert.deepEqual(underwrite({ ...cleveland, capRate: known('0'), noi: known('40000') }).dataQuality, [
      'hud_rent_stale',
    ]);
    const free = underwrite({ ...cleveland, rent: buildRent('0') });
    assert.deepEqual(free.noiUnderwritten, absent('insufficient_inputs'));
    assert.equal(free.reliability, 'unknown');
  });

  it('adds other income per unit and year', () => {
    const other = createUnderwrite({ ...assumptionSet, otherIncomePerUnit: '100' })(cleveland);
    assert.deepEqual(other.effectiveGrossIncome, known('67560.00'));
  });

  it('raises operating expenses to the floor per unit when rents are low', () => {
    const low = underwrite({ ...cleveland, rent: buildRent('700') });
    assert.deepEqual(low.operatingExpenses, known('21600.00'));
    assert.deepEqual(low.noiUnderwritten, known('25272.00'));
  });

  it("ignores stated vacancy and a stated expense total, which are the seller's claim", () => {
    const claimed = { ...cleveland, vacancyPct: known('0'), operatingExpenses: known('1') };
    assert.deepEqual(underwrite(claimed), underwrite(cleveland));
  });

  describe('gross potential rent', () => {
    const byBedrooms = ['730', '830', '1000', '1300', '1380'];
    const mixed = {
      ...cleveland,
      rent: buildRent('1000', { byBedrooms }),
      unitMix: known([
        { bedrooms: 1, units: 4 },
        { bedrooms: 3, units: 2 },
      ]),
    };

    it('is the sum of HUD rents over the unit mix: (4 x 830 + 2 x 1,300) x 12', () => {
      const figures = underwrite(mixed);
      assert.deepEqual(figures.grossPotentialRent, known('71040.00'));
      // 71,040 x 93% = 66,067.20, of which 45% are expenses.
      assert.deepEqual([figures.operatingExpenses, figures.noiUnderwritten], [known('29730.24'), known('36336.96')]);
      assert.deepEqual(figures.grossRentMultiplier, known('5.91'));
    });

    it('uses the two-bedroom rent when the mix does not have exactly the units of the property', () => {
      for (const units of [5, 7]) {
        const figures = underwrite({ ...mixed, units: known(units) });
        assert.deepEqual(figures, underwrite({ ...cleveland, units: known(units), rent: mixed.rent }));
      }
    });

    it('uses the two-bedroom rent when HUD has no rent for one of the types', () => {
      const large = known([
        { bedrooms: 1, units: 4 },
        { bedrooms: 5, units: 2 },
      ]);
      assert.deepEqual(underwrite({ ...mixed, unitMix: large }), underwrite({ ...cleveland, rent: mixed.rent }));
      assert.deepEqual(underwrite({ ...mixed, rent: cleveland.rent }), underwrite(cleveland));
    });

    it('keeps reliability on the two-bedroom proxy, for any unit mix', () => {
      assert.equal(underwrite({ ...mixed, listPrice: known('1008000') }).reliability, 'ok');
      assert.equal(underwrite({ ...mixed, listPrice: known('1008000.01') }).reliability, 'proxy_out_of_range');
    });
  });

  describe('operating expenses', () => {
    const itemised = {
      ...cleveland,
      expenseItems: known([
        { name: 'taxes', amount: '9000' },
        { name: 'insurance', amount: '4500.50' },
      ]),
    };

    it('are the sum of itemized lines, even below the declared floor', () => {
      const figures = underwrite(itemised);
      assert.deepEqual([figures.operatingExpenses, figures.noiUnderwritten], [known('13500.50'), known('53459.50')]);
    });

    it('are the declared share when the lines do not add up to a stated total, or are zero', () => {
      const partial = { ...itemised, operatingExpenses: known('20000') };
      assert.deepEqual(underwrite(partial), underwrite(cleveland));
      const whole = { ...itemised, operatingExpenses: known('13500.50') };
      assert.deepEqual(underwrite(whole), underwrite(itemised));
      const nothing = { ...itemised, expenseItems: known([{ name: 'taxes', amount: '0' }]) };
      assert.deepEqual(underwrite(nothing), underwrite(cleveland));
    });
  });

  describe('dscr_status', () => {
    const statusOf = (inputs: UnderwritingInputs): string => underwrite(inputs).dscrStatus;

    it('is computed for a loan of exactly $75,000 and not_applicable for a cent less', () => {
      assert.equal(statusOf({ ...cleveland, listPrice: known('100000') }), 'computed');
      assert.equal(statusOf({ ...cleveland, listPrice: known('99999.98') }), 'not_applicable');
    });

    it('is not_applicable for a cash-only auction, without any loan figure', () => {
      const auction = underwrite({ ...cleveland, cashOnlyAuction: true });
      assert.equal(auction.dscrStatus, 'not_applicable');
      for (const name of ['dscr', 'dscrUnderwritten', 'loan', 'annualDebtService', 'debtYieldPct'] as const) {
        assert.deepEqual(auction[name], absent('not_applicable'), name);
      }
      assert.deepEqual(auction.breakEvenOccupancyPct, absent('not_applicable'));
      assert.deepEqual(auction.capRateUnderwritten, known('8.77'));
    });

    it('is insufficient_data when price or NOI is missing or not positive', () => {
      assert.equal(statusOf({ ...cleveland, listPrice: absent('parse_failed') }), 'insufficient_data');
      assert.equal(statusOf({ ...cleveland, listPrice: known('0') }), 'insufficient_data');
      assert.equal(statusOf({ ...cleveland, noi: known('0') }), 'insufficient_data');
      assert.equal(statusOf({ ...cleveland, noi: known('-1200') }), 'insufficient_data');
      assert.equal(statusOf(buildInputs({ listPrice: known('420000') })), 'insufficient_data');
    });

    it('is computed for an auction that accepts financing, and not_applicable for a cash-only one', () => {
      const auction = buildListing({ ...cleveland, saleCondition: 'auction' });
      assert.equal(statusOf(underwritingInputs(auction, cleveland.rent)), 'computed');
      const cashOnly = buildListing({ ...cleveland, saleCondition: 'auction', terms: ['cash_only'] });
      assert.equal(statusOf(underwritingInputs(cashOnly, cleveland.rent)), 'not_applicable');
      const cashOnlySale = buildListing({ ...cleveland, terms: ['cash_only'] });
      assert.equal(statusOf(underwritingInputs(cashOnlySale, cleveland.rent)), 'computed');
    });
  });

  describe('underwrite_reliability', () => {
    // 6 units at $1,000 rent for $72,000 a year: 14.0 times that is $1,008,000.
    it('is ok at exactly 14.0 annual rents and proxy_out_of_range a cent above', () => {
      assert.equal(underwrite({ ...cleveland, listPrice: known('1008000') }).reliability, 'ok');
      assert.equal(underwrite({ ...cleveland, listPrice: known('1008000.01') }).reliability, 'proxy_out_of_range');
    });

    it('is unknown when rent, units or price is absent', () => {
      for (const name of ['rent', 'units', 'listPrice'] as const) {
        assert.equal(underwrite({ ...cleveland, [name]: absent('not_stated_by_source') }).reliability, 'unknown', name);
      }
    });

    it('flags suspect units only below 2.5 annual rents', () => {
      const flags = (price: string): readonly string[] =>
        underwrite({ ...cleveland, listPrice: known(price) }).dataQuality;
      assert.deepEqual(flags('180000'), ['hud_rent_stale']);
      assert.deepEqual(flags('179999.99'), ['hud_rent_stale', 'units_suspect']);
    });
  });

  it('flags a stated NOI more than 5% off advertised cap x price, and not one at 5%', () => {
    const current = buildRent('1000', { fiscalYear: 2027, stale: false });
    const flags = (noi: string): readonly string[] =>
      underwrite({ ...cleveland, rent: current, noi: known(noi) }).dataQuality;
    assert.deepEqual(flags('36708'), []);
    assert.deepEqual(flags('36707.99'), ['cap_noi_disagree']);
    assert.deepEqual(flags('36707.996'), []);
    assert.deepEqual(flags('40572.01'), ['cap_noi_disagree']);
  });

  it('returns no_hud_rent when only the rent is missing', () => {
    const figures = underwrite({ ...cleveland, rent: absent('no_hud_rent') });
    for (const name of ['noiUnderwritten', 'capRateUnderwritten', 'capGapPct', 'dscrUnderwritten'] as const) {
      assert.deepEqual(figures[name], absent('no_hud_rent'), name);
    }
    assert.deepEqual(figures.dscr, known('1.58'));
  });

  it('repeats the underwriting with other assumptions: at 10% vacancy income falls by the same share', () => {
    const stressed = createUnderwrite({ ...assumptionSet, version: 'stress', vacancyPct: '10' })(cleveland);
    assert.deepEqual([stressed.assumptionSet, stressed.effectiveGrossIncome], ['stress', known('64800.00')]);
  });

  it('returns plain decimals or reasons for any inputs, consistent with its statuses, and the same ones again', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const figures = underwrite(inputs);
        assert.deepEqual(underwrite(inputs), figures);
        const dscr = {
          computed: undefined,
          insufficient_data: 'insufficient_inputs',
          not_applicable: 'not_applicable',
        };
        assert.equal('absent' in figures.dscr ? figures.dscr.absent : undefined, dscr[figures.dscrStatus]);
        assert.equal(isKnown(figures.noi), isKnown(figures.noiSource));
        assert.equal(isKnown(figures.grossRentMultiplier), figures.reliability !== 'unknown');
        for (const [name, figure] of Object.entries(figures)) {
          if (typeof figure !== 'object' || Array.isArray(figure) || ['rent', 'noiSource'].includes(name)) continue;
          const value = valueOf(figure as Maybe<string>);
          if (value !== undefined) assert.match(value, /^(?!-0\.00$)-?\d+\.\d\d$/, name);
        }
        const price = valueOf(inputs.listPrice);
        if (isKnown(figures.loan)) assert.ok(price !== undefined && Number(price) > 0);
      }),
      { numRuns: 1000 },
    );
  });
});

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
const anyInputs: fc.Arbitrary<UnderwritingInputs> = fc.record({
  listPrice: maybe(money),
  units: maybe(fc.integer({ min: 0, max: 500 })),
  unitMix: maybe(anyUnitMix),
  capRate: maybe(percent),
  noi: maybe(money),
  operatingExpenses: maybe(money),
  expenseItems: maybe(fc.array(fc.record({ name: fc.constant('taxes'), amount: money }), { maxLength: 4 })),
  vacancyPct: maybe(percent),
  rent: fc.oneof(
    fc.integer({ min: 1, max: 4000 }).map((rent) => buildRent(String(rent), { byBedrooms: rentsFrom(rent) })),
    fc.constantFrom(absent('no_hud_rent'), absent('insufficient_inputs')),
  ),
  cashOnlyAuction: fc.boolean(),
});
