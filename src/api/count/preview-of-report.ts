import type { Report, ReportPreview, ReportSection } from '../../../generated/types.gen.js';

/** What is told, free, of a report: which sections it has and why parts of them are absent, and no figure of it. */
export function previewOfReport(report: Report, price: string): ReportPreview {
  const { deal, underwriting, absent } = report;
  const { claimed, hud, sensitivity } = underwriting;
  return {
    ...{ id: deal.id, city: deal.city, state: deal.state },
    report_price: price,
    confidence: bandOf(Number(deal.confidence_score)),
    sections: [
      sectionOf('claimed', claimed),
      sectionOf('hud', hud),
      sectionOf('sensitivity', sensitivity, underwriting.absent.sensitivity),
      sectionOf('offer_range', report.offer_range, absent.offer_range),
      sectionOf(
        'price_history',
        report.price_history.map(({ price: asked }) => asked),
        deal.absent.list_price,
      ),
      sectionOf('market', report.market),
      // One for all records, and without reasons: it does not tell which there are.
      sectionOf('county_records', report.signals.length + report.auctions.length > 0 ? ['some'] : []),
    ],
    last_verified: deal.last_verified,
  };
}

function bandOf(confidence: number): ReportPreview['confidence'] {
  if (confidence < 0.5) return 'under_0.5';
  return confidence < 0.75 ? '0.5_to_0.75' : 'over_0.75';
}

interface Absence {
  readonly reason: string;
}

/** @param whole why the section is absent, where its own parts do not say */
function sectionOf(name: ReportSection['name'], content: unknown, whole?: Absence): ReportSection {
  if (isNothing(content)) return { name, state: 'none', reasons: sorted([...reasonsIn(content), ...reasonOf(whole)]) };
  const reasons = reasonsIn(content);
  return { name, state: reasons.length > 0 ? 'partial' : 'full', reasons: sorted(reasons) };
}

/** True where there is no value, whatever says why. */
function isNothing(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return content === null;
  return Object.entries(content).every(([name, value]) => name === 'absent' || isNothing(value));
}

/** The reasons of all that is absent in a section. */
function reasonsIn(content: unknown): string[] {
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([name, value]: [string, unknown]) =>
    name === 'absent' ? Object.values(value as Record<string, Absence>).flatMap(reasonOf) : reasonsIn(value),
  );
}

const reasonOf = (absence: Absence | undefined): string[] => (absence === undefined ? [] : [absence.reason]);

const sorted = (reasons: readonly string[]): string[] => [...new Set(reasons)].sort();
