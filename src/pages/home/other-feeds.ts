import type { Auction, Lead, Meta, Signal } from '../../../generated/types.gen.js';
import { html, type Markup } from '../markup.js';
import { showCount } from '../show-count.js';
import { showMoment } from '../show-moment.js';
import { showUsd } from '../show-usd.js';

/** The other feeds, each with its free samples. Names of owners and parties appear only in the records themselves. */
export function otherFeeds({ signals_feed: signals, auctions_feed: auctions, free_samples: samples }: Meta): Markup {
  const { total_signals: debts, with_address: located, counties: debtCounties } = signals.coverage;
  const { upcoming_sales: sales, counties: saleCounties } = auctions.coverage;
  return html`<ul class="cards">
${feed('Tax debts', `${showCount(debts)} records in ${counties(debtCounties)}, ${showCount(located)} with a street address.`, signals.note, samples.signals.map(debt))}
${feed('Sheriff sales', `${showCount(sales)} upcoming sales in ${counties(saleCounties)}.`, auctions.note, samples.auctions.map(sale))}
${feed('Leads', 'Sales, debts and listings that are worth a call, scored.', 'The samples are the lowest ranked: the best may be sold to one buyer alone.', samples.leads.map(lead))}
</ul>`;
}

const counties = (count: number): string => `${showCount(count)} ${count === 1 ? 'county' : 'counties'}`;

function feed(name: string, coverage: string, note: string, samples: readonly Markup[]): Markup {
  return html`<li class="card">
<h3>${name}</h3>
<p>${coverage} ${note}</p>
${samples.length === 0 ? html`<p class="absent">No sample yet.</p>` : html`<ul class="samples">${samples}</ul>`}
</li>`;
}

function debt({ county, amount, years_owed: years }: Signal): Markup {
  const since = years === null ? '' : `, ${years} ${years === 1 ? 'year' : 'years'}`;
  return html`<li><span>${county}${since}</span> <b>${showUsd(amount)}</b></li>`;
}

function sale({ county, sale_date: date, opening_bid: bid, appraised_value: appraised }: Auction): Markup {
  const prices = [
    bid === null ? undefined : `from ${showUsd(bid)}`,
    appraised === null ? undefined : `appraised ${showUsd(appraised)}`,
  ].filter((price) => price !== undefined);
  return html`<li><span>${showMoment(date)}, ${county}</span> <b>${prices.join(', ')}</b></li>`;
}

function lead({ lead_type: type, county, state, lead_score: score, score_rationale: rationale }: Lead): Markup {
  return html`<li class="lead-sample"><p class="measure"><span>${type.replaceAll('_', ' ')}, ${county ?? state}</span> <b>${score}</b></p>
<svg class="plot" width="100%" height="8" role="img" aria-label="Lead score ${score} of 100">
<rect class="track" width="100%" height="8" rx="4"/>
<rect class="score" width="${score}%" height="8" rx="4"/>
</svg>
<small>${rationale.base}</small></li>`;
}
