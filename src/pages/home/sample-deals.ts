import type { Deal } from '../../../generated/types.gen.js';
import { html, type Markup } from '../markup.js';
import { showUsd } from '../show-usd.js';

/** The free samples of the deals feed: each claim next to HUD rents on one scale, and the scores. */
export function sampleDeals(deals: readonly Deal[]): Markup {
  if (deals.length === 0)
    return html`<p class="empty">Nothing is published yet. The samples stand here once the first feed is out.</p>`;
  const caps = deals.flatMap(({ cap_rate: claimed, cap_rate_underwritten: hud }) => [claimed, hud].map(Number));
  const widest = Math.max(10, Math.ceil(Math.max(...caps) + 1));
  return html`<ul class="cards">${deals.map((deal) => sampleDeal(deal, widest))}</ul>
<p class="legend"><span class="key claimed"></span> cap rate the listing claims <span class="key hud"></span> cap rate that HUD rents support, both on a scale of 0 to ${widest}%</p>`;
}

function sampleDeal(deal: Deal, widestCap: number): Markup {
  const facts = [
    deal.list_price === null ? 'no asking price' : showUsd(deal.list_price),
    deal.units === null ? undefined : `${deal.units} units`,
    deal.year_built === null ? undefined : `built ${deal.year_built}`,
    deal.dscr === null ? undefined : `DSCR ${deal.dscr}`,
  ].filter((fact) => fact !== undefined);
  const paths = [
    { path: 'Rental', status: deal.rental_status },
    { path: 'Wholesale', status: deal.wholesale_status },
    { path: 'Creative', status: deal.creative_status },
  ];
  return html`<li class="card">
<h3>${deal.address ?? 'Address not shown'}</h3>
<p class="place">${deal.city}, ${deal.state} ${deal.zip ?? ''} · ${facts.join(' · ')}</p>
${capPlot(deal, widestCap)}
${scorePlot(deal)}
<p class="why">${deal.why_this_is_interesting}</p>
<p class="paths">${paths.map(({ path, status }) => html`<span class="chip ${status.toLowerCase()}">${path}: ${status}</span> `)}</p>
</li>`;
}

/** Without HUD's side there is nothing to compare, so the reason is shown instead. */
function capPlot(
  { cap_rate: claimed, cap_rate_underwritten: hud, cap_gap_pct: gap, absent }: Deal,
  widest: number,
): Markup {
  if (claimed === null || hud === null || gap === null) {
    const missing = claimed === null ? 'cap_rate' : 'cap_rate_underwritten';
    const told = [claimed === null ? undefined : `claimed ${claimed}%`, hud === null ? undefined : `HUD ${hud}%`];
    const shown = told.filter((part) => part !== undefined).join(', ');
    return html`<p class="absent">${shown === '' ? 'No cap rate' : `Cap rate ${shown}`}; <code>${missing}</code> is absent: ${absent[missing]?.reason ?? 'unknown'}.</p>`;
  }
  const [at, hudAt] = [claimed, hud].map((cap) => Math.min(100, Math.max(0, (Number(cap) / widest) * 100)));
  const [low, high] = [Math.min(at ?? 0, hudAt ?? 0), Math.max(at ?? 0, hudAt ?? 0)];
  const claim =
    Number(gap) > 0 ? `the claim is ${gap} points higher` : `${gap.replace('-', '')} points of hidden upside`;
  return html`<p class="measure"><b>Cap rate</b> <span><span class="claimed-text">${claimed}% claimed</span>, <span class="hud-text">${hud}% on HUD rents</span></span></p>
<svg class="plot" width="100%" height="26" role="img" aria-label="Cap rate claimed ${claimed}%, on HUD rents ${hud}%: ${claim}">
<line class="axis" x1="0" x2="100%" y1="13" y2="13"/>
<line class="between" x1="${percent(low)}" x2="${percent(high)}" y1="13" y2="13"/>
<circle class="claimed" cx="${percent(at)}" cy="13" r="7"/>
<rect class="hud" x="${percent(hudAt)}" y="6" width="14" height="14" transform="translate(-7)"/>
</svg>`;
}

function scorePlot({ deal_score: score, confidence_score: confidence }: Deal): Markup {
  return html`<p class="measure"><b>Deal score</b> <span>${score} of 100, confidence ${confidence}</span></p>
<svg class="plot" width="100%" height="12" role="img" aria-label="Deal score ${score} of 100">
<rect class="track" width="100%" height="12" rx="6"/>
<rect class="score" width="${score}%" height="12" rx="6"/>
</svg>`;
}

/** Insets the ends, so that a mark at either end is drawn whole. */
const percent = (share = 0): string => `${(3 + share * 0.94).toFixed(2)}%`;
