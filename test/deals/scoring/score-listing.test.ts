import assert from 'node:assert/strict';
import fc from 'fast-check';
import { replayCreativeStatus } from '../../../src/deals/scoring/paths/creative.js';
import { inputBases, inputUnits, type Rationale } from '../../../src/deals/scoring/rationale.js';
import { replayRentalStatus } from '../../../src/deals/scoring/paths/rental.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import { replayWholesaleStatus } from '../../../src/deals/scoring/paths/wholesale.js';
import type { Maybe } from '../../../src/absence.js';
import type { Doubted } from '../../../src/underwriting/plausibility.js';
import { deep } from '../../support/depth.js';
import { anyScoreInputs } from './arbitrary-score-inputs.js';
import { buildScoreInputs } from './build-score-inputs.js';

const runs = { numRuns: deep(1000, 200) };
const statuses = ['Hot', 'Warm', 'Pass'];

/** A rationale as a buyer gets it: through JSON, with only the inputs and thresholds. */
function receive({ inputs, thresholds }: Rationale): Pick<Rationale, 'inputs' | 'thresholds'> {
  return JSON.parse(JSON.stringify({ inputs, thresholds }));
}

describe('scoreListing', () => {
  it('returns rationales that replay to their status, for any absence', () => {
    fc.assert(
      fc.property(anyScoreInputs, (inputs) => {
        const { rationales, rentalStatus, wholesaleStatus, creativeStatus } = scoreListing(inputs);
        assert.equal(replayRentalStatus(receive(rationales.rental)), rentalStatus);
        assert.equal(replayWholesaleStatus(receive(rationales.wholesale)), wholesaleStatus);
        assert.equal(replayCreativeStatus(receive(rationales.creative)), creativeStatus);
      }),
      runs,
    );
  });

  it('returns statuses that follow from the displayed checks', () => {
    fc.assert(
      fc.property(anyScoreInputs, (inputs) => {
        const { rationales, rentalStatus, wholesaleStatus, creativeStatus } = scoreListing(inputs);
        const { rental, wholesale, creative } = rationales;
        assert.equal(rentalStatus, expectRental(outcomes(rental)));
        assert.equal(wholesaleStatus, expectWholesale(outcomes(wholesale)));
        const carries = creative.inputs.carry_term !== undefined;
        assert.equal(creativeStatus, expectCreative(outcomes(creative), carries));
      }),
      runs,
    );
  });

  it('gives every path a status, every input a plain value, and no input both a value and a place in missing', () => {
    fc.assert(
      fc.property(anyScoreInputs, (inputs) => {
        for (const rationale of Object.values(scoreListing(inputs).rationales)) {
          assert.ok(statuses.includes(rationale.status));
          assert.ok(rationale.reasons.length > 0 && rationale.summary.endsWith('.'));
          for (const [name, input] of Object.entries(rationale.inputs)) {
            assert.ok(!rationale.missing.includes(name), name);
            assert.match(input.value, /^(-?\d+(\.\d+)?|[a-z_]+)$/, name);
            assert.ok(inputUnits.includes(input.unit) && inputBases.includes(input.basis), name);
            assert.match(input.asOf, /^(\d{4}-\d\d-\d\d|FY\d{4})$/, name);
          }
          for (const { actual, threshold, op, passed } of rationale.checks) {
            const [left, right] = [Number(actual), Number(threshold)];
            const holds = op === '>=' ? left >= right : op === '<=' ? left <= right : left < right;
            assert.equal(passed, op === '==' ? actual === threshold : holds);
          }
        }
      }),
      runs,
    );
  });

  it('names exactly the inputs that are missing or doubted in the listing and its underwriting', () => {
    fc.assert(
      fc.property(anyScoreInputs, (inputs) => {
        const { rental, wholesale, creative } = scoreListing(inputs).rationales;
        const { listing, underwriting } = inputs;
        const { listPrice, units, capRate } = listing;
        const lacks = (name: Doubted, value: Maybe<unknown>): boolean =>
          'absent' in value || underwriting.doubted.includes(name);
        assert.equal(rental.missing.includes('cap_rate'), lacks('cap_rate', capRate));
        const gap = underwriting.capGapPct;
        const isGapDoubted = (['units', 'list_price', 'cap_rate', 'rent'] as const).some((name) => lacks(name, gap));
        assert.equal(rental.missing.includes('cap_gap_pct'), isGapDoubted);
        for (const { missing } of [wholesale, creative])
          assert.equal(missing.includes('list_price'), lacks('list_price', listPrice));
        assert.equal(wholesale.missing.includes('units'), lacks('units', units));
        assert.equal(creative.missing.includes('noi_for_value'), 'absent' in underwriting.noiForValue);
        assert.equal(creative.missing.includes('loan_balance'), 'absent' in listing.loanBalance);
      }),
      runs,
    );
  });

  it('keeps every score in its range and returns the same score again', () => {
    fc.assert(
      fc.property(anyScoreInputs, (inputs) => {
        const score = scoreListing(inputs);
        assert.deepEqual(scoreListing(inputs), score);
        assert.ok(Number.isInteger(score.dealScore) && score.dealScore >= 0 && score.dealScore <= 100);
        assert.match(score.confidenceScore, /^(0\.\d\d|1\.00)$/);
        assert.equal(new Set(score.motivation.map(({ code }) => code)).size, score.motivation.length);
        assert.ok(Number.isInteger(score.daysOnFeed) && score.daysOnFeed >= 0);
        assert.equal('value' in score.prices.reductionPct || score.prices.reductionPct.absent !== undefined, true);
        assert.match(score.headline, /^[A-Z][^.]*(\.\d[^.]*)*\.$/);
      }),
      runs,
    );
  });

  it('never mentions people, schools, crime, family or a protected trait', () => {
    const forbidden =
      /\b(people|person|school|crime|safe|famil|child|race|racial|ethnic|religi|church|sex|gender|disab|national|immigra|elder|senior|divorc|widow|heir|tenant|neighbo)/i;
    fc.assert(
      fc.property(anyScoreInputs, (inputs) => {
        const { headline, rationales, motivation } = scoreListing(inputs);
        const texts = [headline, ...motivation.map(({ evidence }) => evidence)];
        for (const { summary, stateNotices } of Object.values(rationales)) texts.push(summary, ...stateNotices);
        for (const text of texts) assert.doesNotMatch(text, forbidden);
      }),
    );
  });

  it('is tested with every reason of a status, and mostly with reliable HUD rents', () => {
    const samples = fc.sample(anyScoreInputs, { numRuns: deep(5000, 2000) });
    const counts = new Map<string, number>();
    for (const inputs of samples) {
      const rationales = Object.values(scoreListing(inputs).rationales);
      const told = rationales.flatMap(({ path, reasons }) => reasons.map((reason) => `${path} ${reason}`));
      for (const name of [...told, inputs.underwriting.reliability]) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const name of everyReason) assert.ok((counts.get(name) ?? 0) >= deep(4, 1), `${name}: ${counts.get(name)}`);
    assert.ok(
      (counts.get('ok') ?? 0) > samples.length / 2 && (counts.get('proxy_out_of_range') ?? 0) > samples.length / 25,
    );
  });

  it('includes the version of each rule', () => {
    const { rental, wholesale, creative } = scoreListing(buildScoreInputs()).rationales;
    const versions = [rental, wholesale, creative].map(({ ruleVersion }) => ruleVersion);
    assert.deepEqual(versions, ['rental-2.0.0', 'wholesale-2.0.0', 'creative-2.0.0']);
  });
});

/** Each reason of a path's status. A wholesale path lacks no input beyond those of HUD's reliability. */
const everyReason = [
  ...reasonsOf('rental', 'meets_hot_thresholds cap_gap_too_wide dscr_below_hot meets_warm_thresholds'),
  ...reasonsOf('rental', 'yield_below_warm dscr_below_warm inputs_missing'),
  ...reasonsOf('wholesale', 'list_price_within_mao within_mao_without_motivation list_price_near_mao'),
  ...reasonsOf('wholesale', 'strong_motivation_near_mao list_price_above_mao no_arv_basis'),
  ...reasonsOf('creative', 'carry_term_and_coverage coverage_and_motivation coverage_and_equity no_opening'),
  ...reasonsOf('creative', 'carry_dscr_below_warm carry_dscr_below_hot inputs_missing'),
  ...reasonsOf('creative', 'subject_to_possible due_on_sale_risk'),
  ...reasonsOf('rental', 'unchecked rate_stale cap_implausible price_placeholder units_type_disagree units_suspect'),
  ...reasonsOf('rental', 'stated_noi_unreadable'),
];

function reasonsOf(path: string, reasons: string): string[] {
  return reasons.split(' ').map((reason) => `${path} ${reason}`);
}

type Outcomes = (code: string) => boolean | undefined;

function outcomes({ checks }: Rationale): Outcomes {
  const byCode = new Map(checks.map(({ code, passed }) => [code, passed]));
  return (code) => byCode.get(code);
}

/** The status that the marks alone give, at most Warm where a limit of every path fails. */
function limited(outcome: Outcomes, status: string): string {
  const isLimited = outcome('hot_checked') === false || outcome('hot_plausible') === false;
  return status === 'Hot' && isLimited ? 'Warm' : status;
}

function expectRental(outcome: Outcomes): string {
  const [cap, dscr] = [outcome('hot_cap_rate'), outcome('hot_scored_dscr')];
  if (cap && dscr && outcome('hot_cap_gap') !== false) return limited(outcome, 'Hot');
  if (cap && dscr !== undefined) return 'Warm';
  return outcome('warm_scored_yield') && outcome('warm_scored_dscr') ? 'Warm' : 'Pass';
}

function expectWholesale(outcome: Outcomes): string {
  if (outcome('list_price_at_mao') && outcome('hot_motivation')) return limited(outcome, 'Hot');
  const warm = outcome('list_price_near_mao') || (outcome('list_price_far_mao') && outcome('warm_motivation'));
  return warm ? 'Warm' : 'Pass';
}

function expectCreative(outcome: Outcomes, carries: boolean): string {
  if (carries && outcome('hot_carry_dscr')) return limited(outcome, 'Hot');
  const opening = outcome('warm_motivation') || outcome('warm_equity');
  return outcome('warm_carry_dscr') && opening ? 'Warm' : 'Pass';
}
