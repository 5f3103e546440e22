import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, isKnown, known, valueOf, type Maybe } from '../../src/absence.js';
import { assumptionSet } from '../../src/underwriting/assumption-set.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import { underwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import type { UnderwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { anyInputs } from './arbitrary-inputs.js';
import { deep } from '../support/depth.js';
import { buildInputs, buildListing, buildRent, cleveland, dated, plainSet, rates } from './build-listing.js';

const underwrite = createUnderwrite(plainSet);

describe('createUnderwrite', () => {
  it('underwrites a listing to the cent and names its assumption set', () => {
    const { rent: _, ...figures } = createUnderwrite(assumptionSet)(cleveland);
    const declared = (amount: string) => ({ amount, basis: 'declared' });
    assert.deepEqual(figures, {
      assumptionSet: 'uw-2.0.0',
      rates,
      nonmetropolitan: false,
      isZipElsewhere: false,
      ratePct: '6.75',
      minDscr: '1.25',
      noi: known('38640.00'),
      noiSource: known('derived_from_advertised_cap'),
      noiUnderwritten: known('25269.26'),
      capRateUnderwritten: known('6.02'),
      capGapPct: known('3.18'),
      dscr: known('1.58'),
      dscrStatus: 'computed',
      dscrUnderwritten: known('1.03'),
      reliability: 'ok',
      doubted: [],
      noiForValue: known('25269.26'),
      noiForValueBasis: known('lesser_of_claimed_and_hud'),
      noiForArv: known('25269.26'),
      noiStabilized: known('25269.26'),
      unitMix: known([{ bedrooms: 2, units: 6, grossRent: '1000', utilityAllowance: '130' }]),
      unitMixBasis: known('assumed_2br'),
      vacancyPct: known('7.0'),
      grossPotentialRent: known('62640.00'),
      effectiveGrossIncome: known('58255.20'),
      statedLines: [],
      expenses: known({
        taxes: declared('5825.52'),
        insurance: declared('4200.00'),
        management: declared('4660.42'),
        repairs: declared('9000.00'),
        utilities: declared('5400.00'),
        other: declared('2100.00'),
        reserves: declared('1800.00'),
      }),
      operatingExpenses: known('32985.94'),
      operatingExpensesBasis: known('lines'),
      loan: known('315000.00'),
      annualDebtService: known('24517.01'),
      debtYieldPct: known('12.27'),
      breakEvenOccupancyPct: known('91.80'),
      pricePerUnit: known('70000.00'),
      grossRentMultiplier: known('6.70'),
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
    for (const price of ['190000', '420000', '9999999']) {
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
    const other = createUnderwrite({ ...plainSet, otherIncomePerUnit: '100' })(cleveland);
    assert.deepEqual(other.effectiveGrossIncome, known('67560.00'));
  });

  it('counts a stated vacancy above the declared one only, and keeps the income without it', () => {
    const emptier = underwrite({ ...cleveland, vacancyPct: known('20') });
    assert.deepEqual([emptier.vacancyPct, emptier.effectiveGrossIncome], [known('20.0'), known('57600.00')]);
    assert.deepEqual(emptier.noiStabilized, underwrite(cleveland).noiUnderwritten);
    assert.deepEqual(underwrite({ ...cleveland, vacancyPct: known('0') }), underwrite(cleveland));
    const bold = createUnderwrite({ ...plainSet, vacancyPct: '3.0' })(cleveland);
    assert.deepEqual(bold.vacancyPct, known('5.0'), 'at least 5% whatever is declared');
    assert.deepEqual(underwrite({ ...cleveland, vacancyPct: known('150') }).effectiveGrossIncome, known('0.00'));
  });

  it('has no rent left where the allowance is above the rent', () => {
    const poor = createUnderwrite(assumptionSet)({ ...cleveland, rent: buildRent('100') });
    assert.deepEqual(
      [poor.grossPotentialRent, poor.grossRentMultiplier],
      [known('0.00'), absent('insufficient_inputs')],
    );
    assert.deepEqual(poor.noiUnderwritten, known('-22500.00'));
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
      assert.equal(statusOf(underwritingInputs(auction, dated(cleveland.rent))), 'computed');
      const cashOnly = buildListing({ ...cleveland, saleCondition: 'auction', terms: ['cash_only'] });
      assert.equal(statusOf(underwritingInputs(cashOnly, dated(cleveland.rent))), 'not_applicable');
      const cashOnlySale = buildListing({ ...cleveland, terms: ['cash_only'] });
      assert.equal(statusOf(underwritingInputs(cashOnlySale, dated(cleveland.rent))), 'computed');
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
    const stressed = createUnderwrite({ ...plainSet, version: 'stress', vacancyPct: '10' })(cleveland);
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
        for (const [name, figure] of Object.entries(figures)) {
          if (typeof figure !== 'object' || Array.isArray(figure) || !isFigure.test(name)) continue;
          const value = valueOf(figure as Maybe<string>);
          if (value !== undefined) assert.match(value, /^(?!-0\.00$)-?\d+\.\d\d$/, name);
        }
        const price = valueOf(inputs.listPrice);
        if (isKnown(figures.loan)) assert.ok(price !== undefined && Number(price) > 0);
      }),
      { numRuns: deep(1000, 250) },
    );
  });
});

/** What has two digits. */
const isFigure = /^(?!rent$|rates$|vacancyPct$|unitMix|expenses$|.*(Source|Basis)$)/;
