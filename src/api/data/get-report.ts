import type { Deal, Report as WireReport } from '../../../generated/types.gen.js';
import { readRendered } from '../../contract/rendered.js';
import { ServiceError } from '../../errors.js';
import { isKnown } from '../../absence.js';
import { composeReport } from '../../deals/reports/compose-report.js';
import type { ReportInputs } from '../../deals/reports/report-inputs.js';
import type { ReportInputsReader } from '../../deals/reports/report-inputs-reader.js';
import type { ComparedDeal } from '../../deals/reports/market.js';
import type { PropertyMatches } from '../../counties/matches/match-county-records.js';
import type { Report } from '../../deals/reports/report.js';
import { findAssumptionSet } from '../../underwriting/assumption-set.js';
import type { SoldFeeds, DealSnapshot } from '../../records/feeds/sold-feeds.js';
import { answeredByAll } from './answers.js';
import { createFilterShown, type PlacedFeeds } from './published-records.js';
import { unknownDeal } from './deal-errors.js';
import type { Handler } from '../handler.js';
import { reportToWire } from '../../records/report/report.js';
import type { DealColumns } from '../../feeds/query/deal-kind.js';
import { memoizeLast } from '../../operations/memoize-last.js';

export interface ReportPorts {
  readonly feeds: Omit<SoldFeeds, 'leads'>;
  readonly reportInputs: ReportInputsReader;
  readonly publishers: Omit<PlacedFeeds, 'deals'>;
}

/** The report of a deal that is asked for by its id or an alias. @throws ServiceError where it cannot be sold now */
export type ReadReport = (
  id: string,
) => Promise<{ readonly body: WireReport; readonly feed: ReturnType<typeof answeredByAll> }>;

/** GET /api/deals/{id}/report: the report of a deal. */
export function createGetReport(readReport: ReadReport): Handler<'getReport'> {
  return async ({ path }) => ({ status: 200, ...(await readReport(path.id)) });
}

/**
 * Creates the reading of reports: each as published, regardless of later observations, without county records that have
 * left their feeds. Equal versions of all feeds give equal reports.
 */
export function createReadReport({ feeds, reportInputs, publishers }: ReportPorts): ReadReport {
  const feed = feeds.deals;
  const filterShown = createFilterShown(publishers);

  async function readCounty({ countyFips }: ReportInputs, snapshot: DealSnapshot): Promise<readonly ComparedDeal[]> {
    if (!isKnown(countyFips)) return [];
    const ids = await reportInputs.readCounty(countyFips.value, snapshot.version);
    // With few deals, a median could reveal the figures of one under takedown.
    return ids.flatMap((id) => findDeal(snapshot, id) ?? []).filter(feed.mayShow);
  }

  return async (givenId) => {
    const snapshot = feed.current();
    const requestedId = givenId.toLowerCase();
    const published = findDeal(snapshot, requestedId);
    // Before anything is read: a deal that was taken down takes as long as one that never was.
    if (published === undefined || !feed.mayShow({ id: published.id, sources: '' })) throw unknownDeal();
    const { id } = published;
    const inputs = await reportInputs.readReportInputs(id, snapshot.version);
    if (inputs === undefined) throw notReady();
    const ownSources = inputs.sources.map(({ sourceName }) => sourceName).join(' ');
    if (!feed.mayShow({ id, sources: ownSources })) throw unknownDeal();
    const assumptions = findAssumptionSet(inputs.assumptionSet);
    if (assumptions === undefined) throw notReady();
    const mayShow = feed.mayShow(published);
    const [{ shown: matches, versions }, countyDeals, [body]] = await Promise.all([
      filterShown(inputs.matches),
      readCounty(inputs, snapshot),
      feed.read('full', [{ record: published, version: snapshot.version }]),
    ]);
    // Where only county records are gone, the report returns with the next publication.
    if (body === undefined || !mayShow) throw countOf(matches) < countOf(inputs.matches) ? notReady() : unknownDeal();
    const deal = readRendered(body);
    const report = composeReport({ inputs, assumptions, matches, countyDeals });
    if (!agrees(report, deal)) throw notReady();
    return {
      body: reportToWire(report, deal, requestedId, snapshot),
      feed: answeredByAll(feeds, { deals: snapshot.version, ...versions }),
    };
  };
}

function countOf({ signals, auctions }: PropertyMatches): number {
  return signals.length + auctions.length;
}

/** A report is sold only when its recomputed figures equal those of the record. */
function agrees({ underwriting, dealScore, confidence }: Report, deal: Deal): boolean {
  const { noi, noiUnderwritten, capRateUnderwritten, capGapPct, dscr } = underwriting;
  const figures = [
    [noi, deal.noi],
    [noiUnderwritten, deal.noi_underwritten],
    [capRateUnderwritten, deal.cap_rate_underwritten],
    [capGapPct, deal.cap_gap_pct],
    [dscr, deal.dscr],
  ] as const;
  return (
    figures.every(([computed, published]) => (isKnown(computed) ? computed.value : null) === published) &&
    underwriting.reliability === deal.underwrite_reliability &&
    dealScore.total === deal.deal_score &&
    confidence.score === deal.confidence_score
  );
}

/** While a listing is being underwritten again, or right after a change of the rules. */
function notReady(): ServiceError {
  return new ServiceError(
    'temporarily_unavailable',
    'The report of this deal is available after the next publication of the feed. Try again later.',
    { retryAfterSeconds: 300 },
  );
}

const indexOf = memoizeLast(({ records }: DealSnapshot): ReadonlyMap<string, DealColumns> => {
  const deals = [...records];
  const aliases = deals.flatMap((deal) => deal.aliases?.split(' ').map((id) => [id, deal] as const) ?? []);
  return new Map([...aliases, ...deals.map((deal) => [deal.id, deal] as const)]);
});

/**
 * The deal with an id in a feed version, or with an alias; undefined when there is none. The first lookup in a version
 * builds its index.
 */
export function findDeal(snapshot: DealSnapshot, id: string): DealColumns | undefined {
  return indexOf(snapshot).get(id);
}
