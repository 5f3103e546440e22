import type { CountBounds, CountedMatches, ReportPreview } from '../../../generated/types.gen.js';
import { html, type Markup } from '../markup.js';
import { showCount } from '../show-count.js';
import { showMoment } from '../show-moment.js';
import { showUsd } from '../show-usd.js';
import { choiceLabel } from './filter-form.js';
import type { Product } from './product.js';
import { sectionStates } from '../../wire/code-words.js';
import { absenceWords, confidences, sectionNames } from './words.js';

/** How a value of the count is named and written. */
const measures: Readonly<Record<string, { readonly name: string; readonly show: (figure: string) => string }>> = {
  list_price: { name: 'Price', show: showUsd },
  cap_rate: { name: 'Cap rate', show: (figure) => `${figure}%` },
  dscr: { name: 'DSCR', show: (figure) => `${figure}x` },
  rental_status: { name: 'Rental status', show: (figure) => figure },
  metro: { name: 'Metro', show: (figure) => figure },
  city: { name: 'City', show: (figure) => figure },
  county: { name: 'County', show: (figure) => figure },
  state: { name: 'State', show: (figure) => figure },
  units: { name: 'Units', show: (figure) => figure },
  amount: { name: 'Amount owed', show: showUsd },
  appraised_value: { name: 'Appraised at', show: showUsd },
  lead_type: { name: 'Kind of lead', show: (figure) => figure },
};

/** A band as people read it: `100000_to_200000` is "$100,000 to $200,000". */
export function bandWords(measure: string, band: string): string {
  const { show } = measures[measure] ?? { show: String };
  if (['metro', 'lead_type'].includes(measure)) return choiceLabel(measure, band);
  return band.replaceAll('_', ' ').replaceAll(/\d+(\.\d+)?/g, show);
}

/** "37", "5 to 9"; undefined for none. */
function showBounds({ at_least: least, at_most: most }: CountBounds): string | undefined {
  if (most === 0) return undefined;
  return least === most ? showCount(least) : `${showCount(least)} to ${showCount(most)}`;
}

/** What a list would hold, from its free count: bounds, what buys it, bands, and its first records in bands. */
export function matchPreview(counted: CountedMatches, { holds: [one, several] }: Product, buy: Markup): Markup {
  const { matches, about, rows, coverage, as_of: asOf } = counted;
  const count = showBounds(matches);
  const place =
    coverage.place === 'partial' || coverage.place === 'none'
      ? html`<p class="hint">${coverage.place === 'none' ? 'No source reads this place.' : 'A part of this place is read.'} <a href="/api/coverage">What is read</a></p>`
      : undefined;
  if (count === undefined)
    return html`<h2 class="answer">Nothing matches. An empty result is never billed.</h2>${place}`;
  return html`<h2 class="answer"><b>${count}</b> ${matches.at_most === 1 ? `${one} matches` : `${several} match`}</h2>
<p class="hint">As of ${showMoment(asOf)}.</p>
${place}
${buy}
${bands(about)}
${rows.length > 0 ? maskedRows(rows, matches, several) : undefined}`;
}

function bands(about: CountedMatches['about']): Markup | undefined {
  const shown = Object.entries(about).filter(([, counts]) => Object.keys(counts).length > 0);
  if (shown.length === 0) return undefined;
  return html`<div class="bands">${shown.map(([measure, counts]) => {
    const most = Math.max(...Object.values(counts).map(Number));
    const largest = Object.entries(counts).slice(0, mostBands);
    return html`<section><h3>${measures[measure]?.name ?? measure}</h3><dl>${largest.map(
      ([band, count]) =>
        html`<div><dt>${bandWords(measure, band)}</dt><dd><svg width="100%" height="10" aria-hidden="true"><rect class="score" width="${((Number(count) / most) * 100).toFixed(1)}%" height="10" rx="3"/></svg><span>${showCount(Number(count))}</span></dd></div>`,
    )}</dl></section>`;
  })}</div>`;
}

const mostBands = 8;

function maskedRows(rows: CountedMatches['rows'], { at_most: most }: CountBounds, several: string): Markup {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return html`<table class="stacked">
<caption>The first ${several}, in bands. The list has their figures, and ${showCount(Math.max(0, most - rows.length))} more.</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${measures[column]?.name ?? column}</th>`)}</tr></thead>
<tbody>${rows.map((row) => {
    const values = row as Readonly<Record<string, string>>;
    const cell = (column: string) =>
      html`<td data-label="${measures[column]?.name ?? column}">${values[column] === undefined ? '—' : bandWords(column, values[column])}</td>`;
    return html`<tr>${columns.map(cell)}</tr>`;
  })}</tbody>
</table>`;
}

/** What a report would hold, without a figure of it. */
export function reportPreview(preview: ReportPreview, buy: Markup): Markup {
  const { city, state, confidence, sections, last_verified: at } = preview;
  return html`<h2 class="answer">A deal in <b>${city}, ${state}</b></h2>
<p class="hint">Confidence ${confidences[confidence]}. Last seen ${showMoment(at)}.</p>
${buy}
<table class="stacked">
<caption>What this report holds</caption>
<thead><tr><th scope="col">Section</th><th scope="col">There</th><th scope="col">What is absent, and why</th></tr></thead>
<tbody>${sections.map(
    ({ name, state: extent, reasons }) =>
      html`<tr><th scope="row">${sectionNames[name]}</th><td data-label="There">${sectionStates[extent]}</td><td data-label="Absent"${reasons.length === 0 ? html` class="nothing"` : undefined}>${reasons.length === 0 ? '—' : [...new Set(reasons.map(absenceWords))].join('; ')}</td></tr>`,
  )}</tbody>
</table>`;
}
