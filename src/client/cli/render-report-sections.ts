import type { Rationale, Report } from '../../../generated/types.gen.js';
import { wrapText } from '../../terminal/render-section.js';
import { dash, day, dollars, moment, percent, times } from '../../wire/figures.js';
import { plainText } from '../plain-text.js';
import type { Row } from '../wire/records.js';
import type { Column } from './columns.js';
import { renderTable, type TableLook } from './render-table.js';
import { checkNames, expenseNames, wordsOf } from './words.js';

const text = (field: string, title: string): Column => ({ field, title, isText: true });
const figure = (field: string, title: string, format: (value: string) => string): Column => ({ field, title, format });

/** Every section of a report as lines for a terminal, each after its title. */
export function renderReportSections(report: Report, look: TableLook): readonly string[] {
  const { deal, underwriting, market, price_history: history, provenance, state_notices: notices } = report;
  const { style = (_: unknown, each: string) => each, width } = look;
  const section = (title: string, rows: readonly Row[], columns: readonly Column[]): string[] =>
    rows.length === 0 ? [] : ['', style('bold', title), ...renderTable(rows, columns, look).text.trimEnd().split('\n')];
  const paths = [deal.rationales.rental, deal.rationales.wholesale, deal.rationales.creative];
  return [
    ...section('Cash flow', cashFlowOf(report), [text('line', 'Line'), figure('value', 'A year', (value) => value)]),
    ...section('Sensitivity', (underwriting.sensitivity ?? []).map(moved), [
      text('driver', 'If'),
      figure('noi', 'NOI', dollars),
      figure('cap_rate', 'Cap', percent),
      figure('dscr', 'DSCR', times),
      figure('cash_flow', 'Cash flow', dollars),
    ]),
    ...paths.flatMap((path) => describePath(path, width, style('bold', `${capital(path.path)}: ${path.status}`))),
    ...section(market.metro === null ? 'Market' : `Market: ${market.metro}`, market.measures.map(placed), [
      text('measure', 'Measure'),
      figure('value', 'This deal', (value) => value),
      figure('median', 'Median', (value) => value),
      figure('percentile', 'Percentile', (value) => value),
    ]),
    ...section('Price history', history, [
      { ...text('observed_at', 'Seen'), format: day },
      figure('price', 'Price', dollars),
      { ...text('event', 'What'), format: wordsOf({}) },
      text('source', 'Source'),
    ]),
    ...section(
      'Where the figures are from',
      provenance.map((group) => ({ ...group, fields: group.fields.map(wordsOf({})).join(', ') })),
      [text('source', 'Source'), { ...text('as_of', 'As of'), format: day }, text('fields', 'Fields')],
    ),
    ...notices.flatMap((notice) => ['', ...wrapText(plainText(notice), width)]),
    '',
    `Published ${moment(report.generated_at)}.`,
  ];
}

function cashFlowOf({ underwriting }: Report): readonly Row[] {
  const { expenses, loan, annual_debt_service: service, cash_invested: invested } = underwriting;
  const money = (amount: string | null): string => (amount === null ? dash : dollars(amount));
  return [
    { line: 'Gross potential rent', value: money(underwriting.gross_potential_rent) },
    { line: 'Effective gross income', value: money(underwriting.effective_gross_income) },
    ...(expenses ?? []).map(({ line, amount, basis }) => ({
      line: `  ${wordsOf(expenseNames)(line)}, ${basis}`,
      value: money(amount),
    })),
    { line: 'Operating expenses', value: money(underwriting.operating_expenses) },
    { line: 'NOI on HUD rents', value: money(underwriting.hud.noi) },
    { line: 'NOI claimed', value: money(underwriting.claimed.noi) },
    { line: `Loan at ${percent(underwriting.rate_pct)}`, value: money(loan) },
    { line: 'Debt service', value: money(service) },
    { line: 'Cash invested', value: money(invested) },
    { line: 'Price per unit', value: money(underwriting.price_per_unit) },
  ];
}

function moved(row: NonNullable<Report['underwriting']['sensitivity']>[number]): Row {
  const { driver, change, change_unit: unit } = row;
  const sign = change.startsWith('-') ? '' : '+';
  const by = unit === 'percent' ? percent(change) : `${change.replace('-', '−')} points`;
  return { ...row, driver: `${driver === 'expenses' ? 'costs' : driver} ${sign}${by}` };
}

function placed({ measure, unit, value, median, percentile }: Report['market']['measures'][number]): Row {
  const show = { percent, usd: dollars, points: (each: string) => each }[unit];
  const name = wordsOf({ cap_rate: 'cap rate' })(measure);
  return { measure: name, value: value === null ? null : show(value), median: median && show(median), percentile };
}

/** A path's summary, and each check with what it needs. */
function describePath({ summary, checks }: Rationale, width: number, title: string): readonly string[] {
  const needs = { '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than', '==': '', '!=': 'not' };
  const told = checks.map(({ code, op, actual, threshold, passed }) => {
    const needed = `${needs[op]} ${wordsOf({})(threshold)}`.trim();
    return `${passed ? '✓ met' : '✗ not met'}  ${wordsOf(checkNames)(code)} ${wordsOf({})(actual)}: needs ${needed}`;
  });
  return ['', title, ...[summary, ...told].flatMap((line) => wrapText(plainText(line), width))];
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;
}
