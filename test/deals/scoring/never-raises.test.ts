import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { absent, isKnown, known, type Maybe, valueOf } from '../../../src/absence.js';
import { replayCreativeStatus } from '../../../src/deals/scoring/paths/creative.js';
import { replayRentalStatus } from '../../../src/deals/scoring/paths/rental.js';
import { replayWholesaleStatus } from '../../../src/deals/scoring/paths/wholesale.js';
import type { Rationale } from '../../../src/deals/scoring/rationale.js';
import type { ScoreInputs } from '../../../src/deals/scoring/score.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import type { Listing } from '../../../src/listings/listing.js';
import { assumptionSet } from '../../../src/underwriting/assumption-set.js';
import { suggestOffer } from '../../../src/underwriting/offer-range.js';
import { isChecked } from '../../../src/underwriting/underwriting.js';
import { anyDeal } from '../reports/arbitrary-deal.js';
import { deep } from '../../support/depth.js';
import { writeReport } from '../reports/write-report.js';
import { anyScoreInputs } from './arbitrary-score-inputs.js';
import { buildScoreInputs } from './build-score-inputs.js';

const runs = { numRuns: deep(1000, 150) };
const unstated = absent('not_stated_by_source');

/** The row with other stated values, underwritten as on sale and scored. */
function judge({ listing, underwriting, ...others }: ScoreInputs, change: Partial<Listing> = {}) {
  const { rent } = underwriting;
  const inputs = buildScoreInputs({ ...listing, ...change }, { ...others, rent, assumptions: assumptionSet });
  const score = scoreListing(inputs);
  const { listPrice } = inputs.listing;
  const offer = suggestOffer(inputs.underwriting, listPrice, score.motivation.length, assumptionSet);
  return { listing: inputs.listing, underwriting: inputs.underwriting, score, offer: valueOf(offer) };
}

type Judged = ReturnType<typeof judge>;

/** The figures that no stated cost may raise; an absent one counts as the lowest. */
function figuresOf({ underwriting, score, offer }: Judged): Readonly<Record<string, string | undefined>> {
  const { noi, noiUnderwritten, noiStabilized, noiForValue, noiForArv } = underwriting;
  const { inputs } = score.rationales.wholesale;
  return {
    ...{ noi: valueOf(noi), noiUnderwritten: valueOf(noiUnderwritten), noiStabilized: valueOf(noiStabilized) },
    ...{ noiForValue: valueOf(noiForValue), noiForArv: valueOf(noiForArv), arv: inputs['arv']?.value },
    ...{ yieldPoints: score.dealScoreParts.yield, dscrPoints: score.dealScoreParts.dscr },
    ...{ low: offer?.low, mid: offer?.mid, high: offer?.high, walkAway: offer?.walkAwayPrice },
    ...{ atTargetCap: offer?.maxPriceAtTargetCap, atMinDscr: offer?.maxPriceAtMinDscr },
  };
}

const extra = fc.oneof(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 500_000, max: 50_000_000 }));

/** Each makes one stated cost greater, or states one that was not. */
const raises: Readonly<Record<string, (listing: Listing, cents: number) => Partial<Listing>>> = {
  'operating expenses': ({ operatingExpenses }, cents) => ({ operatingExpenses: plus(operatingExpenses, cents) }),
  taxes: ({ taxes }, cents) => ({ taxes: plus(taxes, cents) }),
  vacancy: ({ vacancyPct }, cents) => ({ vacancyPct: plus(vacancyPct, cents % 10_000) }),
  'an expense item': ({ expenseItems }, cents) => {
    const [first = { name: 'water', amount: '0' }, ...others] = valueOf(expenseItems) ?? [];
    return { expenseItems: known([{ ...first, amount: sum(first.amount, cents) }, ...others]) };
  },
};

const plus = (amount: Maybe<string>, cents: number) => known(sum(valueOf(amount) ?? '0', cents));
const sum = (amount: string, cents: number) => new Decimal(cents).div(100).plus(amount).toFixed();

const labels = ['Property tax', 'Insurance', 'Management', 'Repairs', 'Water', 'Legal', 'Capex'];
const anyItems = fc.array(
  fc.record({
    name: fc.constantFrom(...labels),
    amount: fc.integer({ max: 3_000_000, min: 0 }).map((c) => sum('0', c)),
  }),
  { maxLength: 4 },
);
/** Rows with and without itemized expenses; every second is priced to be near a Hot one. */
const anyRow = fc
  .tuple(anyScoreInputs, fc.option(anyItems), fc.option(fc.integer({ min: 40, max: 65 }), { freq: 2 }))
  .map(([inputs, items, tenths]) => {
    const expenseItems = items === null || items.length === 0 ? unstated : known(items);
    const listing = { ...inputs.listing, expenseItems };
    const [units, rent] = [valueOf(listing.units) ?? 0, valueOf(inputs.underwriting.rent)?.rent2br];
    if (tenths === null || rent === undefined) return { ...inputs, listing };
    const listPrice = known(new Decimal(rent).times(units).times(12).times(tenths).div(10).toFixed(2));
    const good = { listPrice, capRate: known('8.80'), noi: unstated, state: 'OH', zip: known('44105') };
    return { ...inputs, listing: { ...listing, ...good } };
  });

describe('a stated cost', () => {
  for (const [name, raise] of Object.entries(raises)) {
    it(`never raises NOI, yield or DSCR points, income for value, ARV or an offer when it is raised: ${name}`, () => {
      fc.assert(
        fc.property(anyRow, extra, (inputs, cents) => {
          const [before, after] = [judge(inputs), judge(inputs, raise(inputs.listing, cents))].map(figuresOf);
          for (const [figure, value] of Object.entries(after ?? {})) {
            if (value === undefined) continue;
            const former = before?.[figure];
            assert.ok(former !== undefined && new Decimal(value).lte(former), `${figure}: ${former} to ${value}`);
          }
        }),
        runs,
      );
    });
  }
});

/** The lowest of the claims that are not doubted. */
function claimOf({ listing: { listPrice, capRate, noi }, underwriting: { doubted } }: Judged): Decimal | undefined {
  const cents = (value: Maybe<string>) => (isKnown(value) ? new Decimal(value.value).toDecimalPlaces(2, 4) : undefined);
  const [price, cap] = [cents(listPrice), cents(capRate)];
  const isDoubted = doubted.includes('cap_rate') || doubted.includes('list_price');
  const ofCap = price?.gt(0) && cap?.gt(0) && !isDoubted ? price.times(cap).div(100).toDecimalPlaces(2, 4) : undefined;
  const claims = [cents(noi), ofCap].filter((claim) => claim !== undefined);
  return claims.length > 0 ? Decimal.min(...claims) : undefined;
}

describe('the income for value', () => {
  it('is at most the claim, and at most what HUD rent supports where that checks the claim', () => {
    fc.assert(
      fc.property(anyRow, (inputs) => {
        const judged = judge(inputs);
        const { noiForValue, noiUnderwritten } = judged.underwriting;
        if (!isKnown(noiForValue)) return;
        const claim = claimOf(judged);
        assert.ok(claim === undefined || claim.gte(noiForValue.value), `${claim?.toFixed()} < ${noiForValue.value}`);
        if (isChecked(judged.underwriting))
          assert.ok(isKnown(noiUnderwritten) && new Decimal(noiForValue.value).lte(noiUnderwritten.value));
      }),
      runs,
    );
  });

  it('is never lower without a claim than with it, where HUD rent checks the claim', () => {
    const claims = fc.constantFrom<Partial<Listing>[]>(
      { noi: unstated },
      { capRate: unstated },
      { noi: unstated, capRate: unstated },
    );
    fc.assert(
      fc.property(anyRow, claims, (inputs, without) => {
        const [own, other] = [judge(inputs), judge(inputs, without)].map(({ underwriting }) => underwriting);
        if (!own || !other || !isChecked(own) || !isChecked(other)) return;
        const [one, two] = [valueOf(own.noiForValue), valueOf(other.noiForValue)];
        assert.ok(one !== undefined && two !== undefined && new Decimal(two).gte(one), `${one} to ${two}`);
      }),
      runs,
    );
  });
});

/** A rationale as a buyer gets it: through JSON, with only the inputs and thresholds. */
function receive({ inputs, thresholds }: Rationale): Pick<Rationale, 'inputs' | 'thresholds'> {
  return JSON.parse(JSON.stringify({ inputs, thresholds })) as Pick<Rationale, 'inputs' | 'thresholds'>;
}

describe('a row on sale', () => {
  it('is Hot on no path unless HUD rents check it, and its rationales replay', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyRow, (inputs) => {
        const { underwriting, score } = judge(inputs);
        const { rental, wholesale, creative } = score.rationales;
        for (const { path, status } of [rental, wholesale, creative]) {
          if (!isChecked(underwriting)) assert.notEqual(status, 'Hot', path);
          seen.add(`${path} ${status}`);
        }
        assert.equal(replayRentalStatus(receive(rental)), score.rentalStatus);
        assert.equal(replayWholesaleStatus(receive(wholesale)), score.wholesaleStatus);
        assert.equal(replayCreativeStatus(receive(creative)), score.creativeStatus);
      }),
      runs,
    );
    for (const path of ['rental', 'wholesale', 'creative']) assert.ok(seen.has(`${path} Hot`), path);
  });

  it('prints no gap over 100 points in its record or report, from which the pages draw', () => {
    fc.assert(
      fc.property(anyDeal, (deal) => {
        const report = writeReport(deal);
        const { cap_rate: cap, debt_yield_pct: debtYield, cash_on_cash_pct: cash } = report.underwriting.gap;
        const told = [...JSON.stringify(report).matchAll(/(-?\d+(?:\.\d+)?) points/g)].map(([, points]) => points);
        const inputs = Object.values(report.deal.rationales).flatMap((each) => Object.values(each.inputs));
        const stated = inputs.filter(({ unit }) => unit === 'percentage_points').map(({ value }) => value);
        for (const points of [cap, debtYield, cash, report.deal.cap_gap_pct, ...told, ...stated])
          assert.ok(Math.abs(Number(points ?? 0)) <= 100, String(points));
      }),
      runs,
    );
  });
});
