import { isKnown, type Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import { Exact, publish, publishedExact } from '../../underwriting/decimal.js';
import { leadRules, type Step } from './lead-rules.js';

/** A lead's score with the text of each part, such as "10 points: sale in 24 days". */
export interface LeadScore {
  readonly ruleVersion: string;
  /** 0 to 100: the sum of the three parts. */
  readonly leadScore: number;
  readonly points: { readonly base: number; readonly equityGap: number; readonly urgency: number };
  readonly rationale: { readonly base: string; readonly equityGap: string; readonly urgency: string };
}

/** Points, and the fact that earned them. */
export interface LeadPart {
  readonly points: number;
  readonly fact: string;
}

/** A value, and a claim below it. */
export interface EquityGap {
  /** Such as "appraisal"; USD. */
  readonly valueName: string;
  readonly value: Maybe<DecimalText>;
  /** Such as "opening bid"; USD. */
  readonly claimName: string;
  readonly claim: Maybe<DecimalText>;
}

/**
 * The inputs of a sheriff-sale lead's score. `daysToSale`: whole days in the county's calendar, 0 on the day of sale.
 */
export interface SheriffSaleLeadInputs {
  readonly appraisedValue: Maybe<DecimalText>;
  readonly openingBid: Maybe<DecimalText>;
  /** Status in the sale's record. */
  readonly saleStatus: string;
  readonly daysToSale: number;
}

/** Scores a sheriff-sale lead: a base, the gap between appraisal and opening bid, and how soon the sale is. */
export function scoreSheriffSaleLead(inputs: SheriffSaleLeadInputs): LeadScore {
  const rules = leadRules.sheriffSale;
  const gap = rateEquityGap(
    {
      valueName: 'appraisal',
      value: inputs.appraisedValue,
      claimName: 'opening bid',
      claim: inputs.openingBid,
    },
    rules.equityGap,
  );
  return composeLeadScore(
    { points: rules.base, fact: factOf(inputs.saleStatus) },
    gap,
    rateDays(inputs.daysToSale, rules.daysToSale),
  );
}

function factOf(status: string): string {
  if (status === 'scheduled') return 'scheduled sheriff sale';
  return `sheriff sale, ${status === 'unknown' ? 'status unknown' : status}`;
}

/** Adds the three parts and writes each with its points. */
export function composeLeadScore(base: LeadPart, equityGap: LeadPart, urgency: LeadPart): LeadScore {
  return {
    ruleVersion: leadRules.version,
    leadScore: base.points + equityGap.points + urgency.points,
    points: { base: base.points, equityGap: equityGap.points, urgency: urgency.points },
    rationale: { base: write(base), equityGap: write(equityGap), urgency: write(urgency) },
  };
}

/** Rates how far a claim is below a value: percent of the value with one digit, as the text shows it. */
export function rateEquityGap(gap: EquityGap, steps: readonly Step[]): LeadPart {
  const { value, claim, valueName, claimName } = gap;
  const [whole, part] = [readUsd(value), readUsd(claim)];
  if (!whole?.gt(0)) return { points: 0, fact: `${valueName} is not known` };
  if (!part?.gt(0)) return { points: 0, fact: `${claimName} is not known` };
  const share = publish(whole.minus(part).div(whole).times(100), 1);
  const [shownClaim, shownValue] = [formatUsd(part), formatUsd(whole)];
  if (!whole.gt(part)) return { points: 0, fact: `${claimName} ${shownClaim} is not below ${valueName} ${shownValue}` };
  const points = steps.find(({ mark }) => new Exact(share).gte(mark))?.points ?? 0;
  const shownShare = share === '0.0' ? 'less than 0.1%' : `${share}%`;
  return { points, fact: `${claimName} ${shownClaim} is ${shownShare} below ${valueName} ${shownValue}` };
}

/** Rates how soon a sale is. A past sale earns nothing. */
export function rateDays(daysToSale: number, steps: readonly Step[]): LeadPart {
  if (daysToSale < 0) return { points: 0, fact: 'the sale date has passed' };
  const points = steps.find(({ mark }) => daysToSale <= Number(mark))?.points ?? 0;
  if (daysToSale === 0) return { points, fact: 'sale today' };
  return { points, fact: `sale in ${daysToSale} day${daysToSale === 1 ? '' : 's'}` };
}

function write({ points, fact }: LeadPart): string {
  return `${points} points: ${fact}`;
}

/** As published: cents. */
function readUsd(amount: Maybe<DecimalText>): Exact | undefined {
  return isKnown(amount) ? publishedExact(amount.value) : undefined;
}

/** "$60,000"; cents only when not zero. */
function formatUsd(amount: Exact): string {
  const [dollars = '0', cents = '00'] = publish(amount, 2).split('.');
  const grouped = dollars.replace(/\B(?=(\d{3})+$)/g, ',');
  return cents === '00' ? `$${grouped}` : `$${grouped}.${cents}`;
}
