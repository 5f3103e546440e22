import type { CountedMatches, Problem, ReportPreview } from '../../../generated/types.gen.js';
import { type Contract, type ContractOperation, priceLabel } from '../../contract/contract.js';
import type { BuyingTerms } from '../home/ways-to-buy.js';
import { html, type Markup } from '../markup.js';
import type { Site } from '../page.js';
import { renderPage } from '../render-page.js';
import { withCode } from '../with-code.js';
import { buyButton } from './buy-button.js';
import { filterForm } from './filter-form.js';
import { matchPreview, reportPreview } from './previews.js';
import { type Product, productOf } from './product.js';
import { recordFields } from './record-fields.js';
import { requestSamples } from './request-samples.js';

/** What a request for a product was answered, without its payment. */
export interface Told {
  /** Path and query of the request. */
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly problem: Problem & {
    readonly live_examples?: readonly { readonly url: string; readonly property: string }[];
  };
  readonly retryAfter: string | undefined;
}

export interface ProductPageInputs extends Told {
  readonly site: Site;
  readonly contract: Contract;
  readonly terms: Pick<BuyingTerms, 'network' | 'asset' | 'isLocal'>;
  readonly operation: ContractOperation;
  /** What is told, free, of what the request would buy. */
  readonly preview: CountedMatches | ReportPreview | undefined;
}

/** The page of a paid address: what it is, what this request would buy, its filters, the price, other ways to buy. */
export function productPage(inputs: ProductPageInputs): string {
  const { site, contract, terms, operation, path, query, problem } = inputs;
  const product = productOf(operation);
  const price = priceLabel(operation);
  const examplePath = query === '' ? path : `${path}?${query}`;
  const faults = problem.errors.filter((fault) => fault.in === 'query');
  const form = filterForm({ operation, action: path, query: new URLSearchParams(query), faults });
  const isOffer = inputs.status === 402 && problem.errors.length === 0;
  const main = html`<section class="hero product">
<h1>${product.name} <span class="chip price-chip">${price}</span></h1>
<p class="lead">${product.says ?? operation.tool?.description}</p>
</section>
<section class="offer" aria-label="This request">
${isOffer ? offer(inputs, product, examplePath) : refusal(inputs)}
</section>
<section id="bought" class="offer" aria-label="What you bought" hidden></section>
${form && html`<section aria-labelledby="filters"><h2 id="filters">Filters</h2><p class="hint">Filters cost nothing extra.</p>${form}</section>`}
<section aria-labelledby="record"><h2 id="record">What you get</h2>${recordFields(contract.document, operation)}</section>
<section aria-labelledby="programs"><h2 id="programs">This request in a program</h2>${requestSamples({ ...terms, publicBaseUrl: site.publicBaseUrl, examplePath, price })}</section>`;
  return renderPage(site, {
    path,
    title: `${product.name}, ${price}`,
    description: operation.summary,
    main,
    style: 'shop.css',
    script: 'shop.js',
  });
}

function offer({ preview, operation, terms }: ProductPageInputs, product: Product, examplePath: string): Markup {
  const buy = buyButton(operation, terms, examplePath);
  if (preview === undefined)
    return html`<h2 class="answer">${product.name}: ${priceLabel(operation)} a call</h2>
<p class="hint">An empty result is never billed.</p>
${buy}`;
  return 'sections' in preview ? reportPreview(preview, buy) : matchPreview(preview, product, buy);
}

/** What is wrong, in words, and what to do. */
export function refusal({ problem, status, retryAfter }: Told, hasTitle = true): Markup {
  const isFaulty = problem.errors.some((fault) => fault.in === 'query');
  const { live_examples: examples = [], next } = problem;
  return html`<div class="refusal" role="status">
${hasTitle ? html`<h2 class="answer">${isFaulty ? 'Correct the marked filters first' : problem.title}</h2>` : undefined}
<p>${isFaulty ? 'Nothing can be bought until they are right. Nothing was charged.' : withCode(problem.detail)}</p>
${retryAfter !== undefined && status !== 402 ? html`<p>Try again in ${retryAfter} s.</p>` : undefined}
${examples.length > 0 ? html`<p>Reports of present deals:</p><ul>${examples.map(({ url, property }) => html`<li><a href="${url}">${property}</a></li>`)}</ul>` : undefined}
${isFaulty || next.length === 0 ? undefined : html`<p class="hint">${next.map(({ title, url }, index) => html`${index > 0 ? ' · ' : undefined}<a href="${url}">${title}</a>`)}</p>`}
</div>`;
}
