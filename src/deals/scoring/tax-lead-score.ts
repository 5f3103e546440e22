import { isKnown, type Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import { leadRules } from './lead-rules.js';
import { composeLeadScore, rateDays, rateEquityGap, type LeadPart, type LeadScore } from './lead-score.js';

/** The inputs of a tax-delinquent-owner lead's score. */
export interface TaxLeadInputs {
  readonly hasAddress: boolean;
  readonly lastSeenAt: Date;
  /** Assessed value by the county, USD. */
  readonly assessedValue: Maybe<DecimalText>;
  /** USD. */
  readonly amountOwed: DecimalText;
  /** Whole tax years with an amount owed. */
  readonly yearsOwed: Maybe<number>;
  /** Whole days to the county's tax sale. */
  readonly daysToTaxSale: Maybe<number>;
}

/**
 * Scores a tax-delinquent-owner lead: a base, the gap between assessed value and amount owed, and the more urgent of
 * years owed and tax sale. Undefined without a street address, or when not seen within seven days, since it is then no
 * lead.
 */
export function scoreTaxLead(inputs: TaxLeadInputs, now: Date): LeadScore | undefined {
  const rules = leadRules.taxDelinquent;
  const ageMs = now.getTime() - inputs.lastSeenAt.getTime();
  if (!inputs.hasAddress || ageMs > leadRules.verifiedWithinDays * 86_400_000) return undefined;
  const gap = rateEquityGap(
    {
      valueName: 'assessed value',
      value: inputs.assessedValue,
      claimName: 'amount owed',
      claim: { value: inputs.amountOwed },
    },
    rules.equityGap,
  );
  return composeLeadScore({ points: rules.base, fact: 'county tax-delinquency record' }, gap, rateUrgency(inputs));
}

function rateUrgency({ yearsOwed, daysToTaxSale }: TaxLeadInputs): LeadPart {
  const rules = leadRules.taxDelinquent;
  const sale = isKnown(daysToTaxSale) ? rateDays(daysToTaxSale.value, rules.daysToSale) : undefined;
  const years = isKnown(yearsOwed) ? rateYears(yearsOwed.value) : undefined;
  if (sale !== undefined && sale.points > 0 && sale.points >= (years?.points ?? 0)) {
    return { ...sale, fact: `tax ${sale.fact}` };
  }
  return years ?? { points: 0, fact: 'neither years owed nor a near tax sale is known' };
}

function rateYears(years: number): LeadPart {
  const points = leadRules.taxDelinquent.yearsOwed.find(({ mark }) => years >= Number(mark))?.points ?? 0;
  return { points, fact: `taxes owed for ${years} year${years === 1 ? '' : 's'}` };
}
