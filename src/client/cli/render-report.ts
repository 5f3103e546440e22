import type { MatchedAuction, MatchedSignal, Report, SensitivityRow } from '../../../generated/types.gen.js';
import { wrapText } from '../../terminal/render-section.js';
import type { Style } from '../../terminal/style.js';
import { dash, day, dollars, percent, points, times } from '../../wire/figures.js';
import { verdictOf } from '../../wire/report-verdict.js';
import { plainText } from '../plain-text.js';
import { isRow } from '../wire/records.js';
import { statusEmphasis } from './columns.js';
import { renderReportSections } from './render-report-sections.js';
import type { TableLook } from './render-table.js';
import { saleStatuses } from '../../wire/code-words.js';
import { matchKinds, wordsOf } from './words.js';

export interface ReportLook extends TableLook {
  /** Also every section, after the first screen. */
  readonly isFull: boolean;
}

/** Whether a body is a report of a deal. */
export function isReport(body: unknown): body is Report {
  return isRow(body) && isRow(body['deal']) && isRow(body['underwriting']) && 'offer_range' in body;
}

/**
 * A report for a terminal: the verdict, the prices, claim against HUD, the paths, what moves it, and the evidence, in
 * 50 lines of 100 columns. Texts of sources are without control characters.
 */
export function renderReport(report: Report, { width, style = (_, text) => text, isFull }: ReportLook): string {
  const { deal } = report;
  const place = `${deal.address ?? 'Address not shown'}, ${deal.city} ${deal.state} ${deal.zip ?? ''}`.trimEnd();
  const head = [
    place,
    ...(deal.units === null ? [] : [`${deal.units} units`]),
    ...(deal.year_built === null ? [] : [`built ${deal.year_built}`]),
    `score ${deal.deal_score}/100`,
    `confidence ${deal.confidence_score}`,
  ].join(' · ');
  const wrap = (text: string, indent = ''): string[] =>
    wrapText(plainText(text), width - indent.length).map((line) => indent + line);
  const lines = [
    ...wrap(head).map((line) => style('bold', line)),
    ...wrap(verdictOf(report)),
    ...wrap(pricesOf(report), '  '),
    ...compareSides(report, width),
    ...wrap(pathsOf(report), '  ').map((line) => colorStatuses(line, style)),
    ...wrap(sensitivityOf(report), '  '),
    ...evidenceOf(report, width).flatMap((line) => wrap(`Evidence  ${line}`, '  ')),
    ...(isFull
      ? renderReportSections(report, { width, style })
      : wrap('More: --full says all of it, --open draws it.')),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function pricesOf({ deal, offer_range: offer }: Report): string {
  const asking = deal.list_price === null ? 'Asking price not stated' : `Asking ${dollars(deal.list_price)}`;
  if (offer === null || !('walk_away_price' in offer)) return asking;
  const [cap, debt] = [Number(offer.max_price_at_target_cap), Number(offer.max_price_at_min_dscr)];
  const target = `${percent(offer.target_cap_pct)} target cap`;
  const why =
    cap <= debt
      ? `held by your ${target}; debt would bear ${dollars(offer.max_price_at_min_dscr)}`
      : `held by debt coverage; your ${target} would bear ${dollars(offer.max_price_at_target_cap)}`;
  return `${asking} · Opening ${dollars(offer.low)} · Walk-away ${dollars(offer.walk_away_price)} (${why})`;
}

/** Cap rate and DSCR as claimed and on HUD rents, with bars where there is room. */
function compareSides({ underwriting: { claimed, hud, gap } }: Report, width: number): string[] {
  const rows = [
    { name: 'Cap rate', show: percent, sides: [claimed.cap_rate, hud.cap_rate], gap: gap.cap_rate },
    { name: 'DSCR', show: times, sides: [claimed.dscr, hud.dscr], gap: null },
  ];
  const room = Math.min(12, Math.floor((width - 52) / 2));
  const cell = (text: string): string => text.padStart(9);
  const head = `  ${'Figure'.padEnd(9)}${cell('claimed')}${' '.repeat(Math.max(0, room))}${cell('HUD rents')}`;
  return [
    head.slice(0, width),
    ...rows.map(({ name, show, sides, gap: difference }) => {
      const most = Math.max(...sides.map((side) => Number(side ?? 0)), 0.01);
      const drawn = sides.map((side) => {
        const value = cell(side === null ? dash : show(side));
        return room < 4 ? value : `${value} ${bar(Number(side ?? 0) / most, room - 1)}`;
      });
      const told = difference === null || width < 60 ? '' : `  ${points(difference)}`;
      return `  ${name.padEnd(9)}${drawn.join('')}${told}`;
    }),
  ];
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A share from 0 to 1 as a bar, filled with blanks. */
function bar(share: number, cells: number): string {
  const parts = Math.round(Math.max(0, share) * cells * 8);
  return ('█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '')).padEnd(cells);
}

function pathsOf({ deal: { rationales, list_price: asked } }: Report): string {
  const mao = rationales.wholesale.inputs['mao']?.value;
  const excess = asked === null || mao === undefined || mao === null ? 0 : Number(asked) - Number(mao);
  const dear =
    rationales.wholesale.status === 'Pass' && excess > 0 ? ` (asks ${dollars(excess.toFixed(2))} too much)` : '';
  return `Rental ${rationales.rental.status} · Wholesale ${rationales.wholesale.status}${dear} · Creative ${rationales.creative.status}`;
}

function colorStatuses(line: string, style: Style): string {
  return line.replaceAll(/\b(Hot|Warm|Pass)\b/g, (status) => {
    const emphasis = statusEmphasis(status);
    return emphasis === undefined ? status : style(emphasis, status);
  });
}

/** A whole rate without its zeros. */
const short = (rate: string): string => percent(rate.replace(/\.00$/, ''));

/** The DSCR at the worst value of each driver. */
function sensitivityOf({ underwriting }: Report): string {
  const worst = new Map<SensitivityRow['driver'], SensitivityRow>();
  for (const row of underwriting.sensitivity ?? []) {
    const known = worst.get(row.driver);
    if (row.dscr !== null && (known === undefined || Number(row.dscr) < Number(known.dscr))) worst.set(row.driver, row);
  }
  if (worst.size === 0) return 'What moves it cannot be computed.';
  const to = (change: string, from: string | null): string => short((Number(from ?? 0) + Number(change)).toFixed(2));
  const signed = (change: string): string => `${change.startsWith('-') ? '' : '+'}${short(change)}`;
  const names: Readonly<Record<SensitivityRow['driver'], (change: string) => string>> = {
    rent: (change) => `rent ${signed(change)}`,
    vacancy: (change) => `vacancy ${to(change, underwriting.vacancy_pct)}`,
    rate: (change) => `rate ${to(change, underwriting.rate_pct)}`,
    expenses: (change) => `costs ${signed(change)}`,
  };
  const told = [...worst.values()].map(
    ({ driver, change, dscr }) => `${names[driver](change)}: ${times(dscr ?? dash)}`,
  );
  return `DSCR if ${told.join(' · ')}`;
}

/** The county records that count as evidence, each with its page where that fits into a line. */
function evidenceOf({ signals, auctions }: Report, width: number): readonly string[] {
  const how = ({ match_type: match, county, source_url: url }: MatchedSignal | MatchedAuction): string =>
    `${wordsOf(matchKinds)(match)}, ${county}${url.length > width - 2 ? '' : `: ${url}`}`;
  const told = [
    ...signals.map((signal) => `unpaid county taxes ${dollars(signal.amount)}, ${how(signal)}`),
    ...auctions.map(
      (sale) => `sheriff sale on ${day(sale.sale_date)}, ${wordsOf(saleStatuses)(sale.sale_status)}, ${how(sale)}`,
    ),
  ];
  return told.length === 0 ? ['no county record is matched with this property'] : told.slice(0, 6);
}
