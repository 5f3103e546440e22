import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { absent, isKnown, type Maybe } from '../../src/absence.js';
import type { Deal } from '../../src/deals/deal.js';
import type * as rules from '../../src/pages/browser/your-numbers.js';
import { findProjectFile } from '../../src/project-file.js';
import { assumptionSet } from '../../src/underwriting/assumption-set.js';
import { suggestOffer } from '../../src/underwriting/offer-range.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import { anyDeal } from '../deals/reports/arbitrary-deal.js';
import { deep } from '../support/depth.js';
import { writeReport } from '../deals/reports/write-report.js';

/** The rules as browsers get them. */
const asset = pathToFileURL(findProjectFile('dist/assets/pages/your-numbers.js')).href;
const { computeWith, declaredNumbers, isReproduced } = (await import(asset)) as typeof rules;

const tenths = (least: number, most: number) =>
  fc.integer({ min: least * 10, max: most * 10 }).map((value) => String(value / 10));
const anyNumbers: fc.Arbitrary<Omit<rules.Numbers, 'rent'>> = fc.record({
  rate: tenths(0, 20),
  down: tenths(0, 100),
  targetCap: tenths(1, 25),
  vacancy: tenths(0, 60),
});
const numRuns = deep(1_000, 200);

/** The server's own figures with other numbers. */
function byTheServer(deal: Deal, { rate, down, targetCap, vacancy }: Omit<rules.Numbers, 'rent'>, signs: number) {
  const set = {
    ...assumptionSet,
    ...{ ltvPct: String(Number((100 - Number(down)).toFixed(1))), targetCapPct: targetCap },
    ...{ vacancyPct: vacancy, vacancyMinPct: vacancy },
  };
  const rates = { ...deal.inputs.rates, oneToFourUnitsPct: rate, fivePlusUnitsPct: rate };
  const underwriting = createUnderwrite(set)({ ...deal.inputs, rates, vacancyPct: absent('not_applicable') });
  return { underwriting, offer: suggestOffer(underwriting, deal.inputs.listPrice, signs, set) };
}

const textOf = (figure: Maybe<string>) => (isKnown(figure) ? figure.value : null);

describe('your numbers on a report', () => {
  it('give the figures of the report to the cent while nothing is changed, whatever is absent', () => {
    fc.assert(
      fc.property(anyDeal, (deal) => isReproduced(writeReport(deal))),
      { numRuns },
    );
  });

  it('give what the server’s rules give, for any rate, down payment, target cap and vacancy', () => {
    fc.assert(
      fc.property(anyDeal, anyNumbers, (deal, numbers) => {
        const report = writeReport(deal);
        const ours = computeWith(report, { ...declaredNumbers(report), ...numbers });
        const { underwriting, offer } = byTheServer(deal, numbers, report.scoring.deal_score.motivation_count);
        assert.equal(ours.noi, textOf(underwriting.noiUnderwritten));
        assert.equal(ours.capRate, textOf(underwriting.capRateUnderwritten));
        assert.equal(ours.dscr, textOf(underwriting.dscrUnderwritten));
        assert.equal(ours.offer?.low, isKnown(offer) ? offer.value.low : undefined);
        assert.equal(ours.offer?.walk_away_price, isKnown(offer) ? offer.value.walkAwayPrice : undefined);
        for (const figure of Object.values(ours)) assert.ok(!Number.isNaN(figure), String(figure));
      }),
      { numRuns },
    );
  });

  it('fill HUD’s side where HUD has no rent, once one is typed in', () => {
    const deals = fc.sample(anyDeal, { numRuns: 200, seed: 1 });
    const bare = deals.filter(({ inputs }) => !isKnown(inputs.rent) && isKnown(inputs.units));
    assert.ok(bare.length > 5);
    for (const report of bare.map((deal) => writeReport(deal))) {
      const declared = declaredNumbers(report);
      assert.deepEqual([declared.rent, computeWith(report, declared).noi], ['', null]);
      assert.notEqual(computeWith(report, { ...declared, rent: '1100' }).noi, null);
    }
  });
});
