import { Decimal } from 'decimal.js';
import type * as Wire from '../../../generated/types.gen.js';
import { valueOf } from '../../../src/absence.js';
import { dealToWire } from '../../../src/records/deal.js';
import { reportToWire } from '../../../src/records/report/report.js';
import type { Deal } from '../../../src/deals/deal.js';
import { composeReport } from '../../../src/deals/reports/compose-report.js';
import { makeReportInputs, reviveReportInputs, type ReportInputs } from '../../../src/deals/reports/report-inputs.js';
import type { ComparedDeal } from '../../../src/deals/reports/market.js';
import { assumptionSet } from '../../../src/underwriting/assumption-set.js';

/** The report of a deal as its buyer reads it; the report inputs go through JSON, as in the database. */
export function writeReport(deal: Deal, countyDeals: readonly ComparedDeal[] = [comparedDeal(deal)]): Wire.Report {
  const inputs = reviveReportInputs(JSON.parse(JSON.stringify(makeReportInputs(deal))) as ReportInputs);
  const report = composeReport({ inputs, assumptions: assumptionSet, matches: deal.matches, countyDeals });
  const version = { version: 7, publishedAt: new Date('2026-11-21T06:00:00.000Z') };
  return reportToWire(report, dealToWire(deal), deal.id, version);
}

/** The compared values of a deal in its market. */
export function comparedDeal({ id, listing, score }: Deal): ComparedDeal {
  const hundredths = (value: string | undefined): number | undefined =>
    value === undefined
      ? undefined
      : new Decimal(value).times(100).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
  return {
    id,
    priceCents: hundredths(valueOf(listing.listPrice)),
    capHundredths: hundredths(valueOf(listing.capRate)),
    units: valueOf(listing.units),
    dealScore: score.dealScore,
  };
}
