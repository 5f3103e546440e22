import { ageOfRates, type RateAge, type SourcedRates } from './mortgage-rates.js';

const hourMs = 3_600_000;
/** Allowance for the duration of the run that renews figures. */
const toleranceMs = 2 * hourMs;

/** Maximum age of an offered listing's figures, in hours. Source: the specification, "underwriting every 2 days". */
export const underwrittenEveryHours = 48;

/** Whether underwritings are as fresh as promised, and the rates that they use. */
export interface UnderwritingHealth {
  readonly status: 'fresh' | 'late';
  /** Time of the oldest figures of an offered listing; undefined when none is offered. */
  readonly oldestAt: Date | undefined;
  readonly rates: SourcedRates;
  readonly rateAge: RateAge;
}

/** Judges the freshness at a time. Fresh when nothing is offered. Pure. */
export function judgeUnderwriting(oldestAt: Date | undefined, rates: SourcedRates, at: Date): UnderwritingHealth {
  const ageMs = oldestAt === undefined ? 0 : at.getTime() - oldestAt.getTime();
  const status = ageMs <= underwrittenEveryHours * hourMs + toleranceMs ? 'fresh' : 'late';
  return { status, oldestAt, rates, rateAge: ageOfRates(rates, at) };
}
