import type { Sources, SourceState } from '../../../generated/types.gen.js';
import { html, type Markup } from '../markup.js';
import { showCount } from '../show-count.js';
import { showMoment } from '../show-moment.js';

/** The state of every source, as in `/api/sources`. */
export function sourceFreshness({ sources, generated_at: at }: Sources): Markup {
  if (sources.length === 0) return html`<p class="empty">No source is configured yet.</p>`;
  const counts = (['fresh', 'late', 'failed'] as const)
    .map((status) => ({ status, count: sources.filter((source) => source.status === status).length }))
    .filter(({ count }) => count > 0);
  return html`<p>${counts.map(({ status, count }) => html`<span class="chip ${status}">${showCount(count)} ${status}</span> `)}as of ${showMoment(at)}. What a late source brought is sold on, as old as its records say.</p>
<div class="scroll" role="region" aria-label="Sources" tabindex="0">
<table class="sources">
<thead><tr><th scope="col">Source</th><th scope="col">Brings</th><th scope="col">Licence</th><th scope="col" class="number">Records</th><th scope="col">Read last</th><th scope="col">Promise</th><th scope="col">State</th></tr></thead>
<tbody>${sources.map((source) => row(source, at))}</tbody>
</table>
</div>`;
}

function row(source: SourceState, now: string): Markup {
  const { name, attribution, delivers, licence_class: licence, records, last_success: last, status } = source;
  return html`<tr>
<th scope="row">${name}<small>${attribution}</small></th>
<td>${delivers}</td>
<td>${licence.replace('_', ' ')}${source.in_force ? undefined : html` <span class="chip late">licence ended</span>`}</td>
<td class="number">${showCount(records)}</td>
<td>${last === null ? 'not yet' : html`${showMoment(last)}<small>${ageOf(last, now)}</small>`}</td>
<td>every ${source.promised_every_hours} h</td>
<td><span class="chip ${status}">${status}</span></td>
</tr>`;
}

/** Rounded to whole units, so that the page does not change needlessly. */
function ageOf(moment: string, now: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(moment)) / 60_000));
  if (minutes < 60) return 'within the hour';
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
