import type { CountedMatches, Deal } from '../../../generated/types.gen.js';
import type { Contract } from '../../contract/contract.js';
import type { ParameterFault } from '../../errors.js';
import { metros, slugOf } from '../../places/metros/metros.js';
import { coverageMap } from '../home/coverage-map.js';
import { sampleDeals } from '../home/sample-deals.js';
import type { BuyingTerms } from '../home/ways-to-buy.js';
import { html, type Markup } from '../markup.js';
import type { Site } from '../page.js';
import { renderPage } from '../render-page.js';
import { buyButton } from './buy-button.js';
import { filterForm } from './filter-form.js';
import { matchPreview } from './previews.js';
import { productOf } from './product.js';

export interface DealsPageInputs {
  readonly site: Site;
  readonly contract: Contract;
  readonly terms: Pick<BuyingTerms, 'isLocal'>;
  /** The filters, as the address has them. */
  readonly query: URLSearchParams;
  readonly faults: readonly ParameterFault[];
  /** Undefined while it cannot be told. */
  readonly counted: CountedMatches | undefined;
  /** The free samples of the feed. */
  readonly samples: readonly Deal[];
}

/**
 * GET /deals: the filters of the deals, what is told, free, of those that match, and their price. Nothing can be bought
 * while a filter has a fault.
 */
export function dealsPage({ site, contract, terms, query, faults, counted, samples }: DealsPageInputs): string {
  const operation = contract.operations.find(({ operationId }) => operationId === 'listDeals');
  if (operation === undefined) throw new Error('The contract sells no deals');
  const product = productOf(operation);
  const path = query.size === 0 ? operation.path : `${operation.path}?${query.toString()}`;
  const preview =
    faults.length > 0
      ? html`<h2 class="answer">Correct the marked filters first</h2><p>Nothing can be bought until they are right.</p>`
      : counted === undefined
        ? html`<h2 class="answer">What matches cannot be told just now</h2><p>Try again in a minute. Nothing was charged.</p>`
        : matchPreview(counted, product, buyButton(operation, terms, path));
  const main = html`<section class="hero">
<h1>Deals</h1>
<p class="lead">Small multifamily buildings for sale, each underwritten on HUD rents. Browse free; the list with addresses and figures is ${`$${operation.priceUsd ?? ''}`}.</p>
</section>
<section class="browse" aria-label="Deals that match">
<div>${filterForm({ operation, action: '/deals', query, faults })}</div>
<div id="preview" class="offer" aria-live="polite">${preview}</div>
</section>
<section id="bought" class="offer" aria-label="What you bought" hidden></section>
<section id="purchases" aria-labelledby="yours" hidden><h2 id="yours">Your purchases</h2></section>
${mapOf(counted)}
<section aria-labelledby="sample"><h2 id="sample">A free sample</h2>
<p>One deal exactly as the paid list has it. <a href="/report#sample">Open a full sample report</a></p>
${sampleDeals(samples.slice(0, 1))}</section>`;
  return renderPage(site, {
    path: '/deals',
    title: 'Deals',
    description: 'Small US multifamily deals with HUD underwriting: filter, count and preview free.',
    main,
    style: 'shop.css',
    script: 'shop.js',
  });
}

/** Where the deals that match are; undefined where so few match that no place is told. */
function mapOf(counted: CountedMatches | undefined): Markup | undefined {
  const byMetro = counted?.about['metro'];
  if (byMetro === undefined || Object.keys(byMetro).length === 0) return undefined;
  const byCounty = new Map(metros.map((metro) => [metro.countyFips, Number(byMetro[slugOf(metro)] ?? 0)]));
  return html`<section aria-labelledby="where"><h2 id="where">Where they are</h2>${coverageMap(byCounty)}</section>`;
}
