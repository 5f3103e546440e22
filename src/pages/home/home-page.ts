import type { Meta, Sources } from '../../../generated/types.gen.js';
import { type Contract, type ContractOperation, priceLabel } from '../../contract/contract.js';
import { html, type Markup } from '../markup.js';
import type { Site } from '../page.js';
import { renderPage } from '../render-page.js';
import { operationNames } from '../../wire/operation-names.js';
import { showCount } from '../show-count.js';
import { showMoment } from '../show-moment.js';
import { coverageMap, type DealsByCounty } from './coverage-map.js';
import { otherFeeds } from './other-feeds.js';
import { sampleDeals } from './sample-deals.js';
import { sourceFreshness } from './source-freshness.js';
import { waysToBuy, type BuyingTerms } from './ways-to-buy.js';

export interface HomeInputs {
  readonly site: Site;
  readonly contract: Contract;
  readonly meta: Meta;
  readonly sources: Sources;
  readonly dealsByCounty: DealsByCounty;
  readonly terms: Pick<BuyingTerms, 'network' | 'asset' | 'isLocal'>;
}

/** The landing page: the current metadata, sources and contract for people. It names no person. */
export function homePage({ site, contract, meta, sources, dealsByCounty, terms }: HomeInputs): string {
  const examplePath = meta.filters.example;
  const price = meta.pricing[`GET ${examplePath.split('?')[0]}`] ?? '';
  const buying = { ...terms, publicBaseUrl: site.publicBaseUrl, clientPackage: site.clientPackage, examplePath, price };
  const main = html`${hero(meta)}
${figures(meta)}
${section('coverage', 'Where the deals are', html`<p>${meta.description}</p>`, coverageMap(dealsByCounty))}
${section(
  'samples',
  'What a record contains',
  html`<p>The best deals of the feed, free, exactly as in the paid feed. A gap to the right of HUD's mark means that the broker claims more than rents support.</p>`,
  sampleDeals(meta.free_samples.deals),
)}
${section('feeds', 'Beyond the listings', html`<p>County records and leads, each row with the public record it rests on.</p>`, otherFeeds(meta))}
${section('proof', 'What no one else shows', html`<p>Three promises, each with what is on the wire.</p>`, proof())}
${section('prices', 'What a call costs', html`<p>Only a reply with the data is billed, each call once. Filters cost nothing extra; a filter that matches nothing is a 404 and free.</p>`, priceList(contract))}
${section('buy', 'How to buy', html`<p>No account and no API key: each call is paid for on its own with <abbr title="an open protocol of payments over HTTP">x402</abbr> (${meta.pricing.protocol}) on ${meta.pricing.network}.</p>`, waysToBuy(buying))}
${section('freshness', 'Sources and freshness', html`<p>${meta.refresh_cadence}</p>`, sourceFreshness(sources))}
${section('use', 'What you may do with it', html`<p>${meta.permitted_use}</p>`)}`;
  return renderPage(site, {
    path: '/',
    title: meta.name,
    description: meta.description,
    main,
    style: 'home.css',
    script: 'copy.js',
  });
}

function hero(meta: Meta): Markup {
  const { guarantee, data_class: dataClass, example_report: report, coverage, free_samples: samples } = meta;
  const isDemonstration = dataClass === 'demonstration';
  return html`<section class="hero">
${isDemonstration ? html`<p class="notice"><b>This is a demonstration.</b> Properties, owners and county records are fictional, HUD rents are real, and the token that pays is worth nothing.</p>` : undefined}
<h1>Is this deal what the broker says?</h1>
<p class="lead">Small US multifamily properties: each claim held against HUD rents, scored on three paths, and sold per call.</p>
<p class="actions"><a class="button" href="/deals">Browse ${showCount(coverage.active_records)} deals</a> <a class="button quiet" href="#buy">For agents and code</a></p>
${
  samples.deals.length === 0
    ? undefined
    : html`<h2>A free sample</h2>
${sampleDeals(samples.deals.slice(0, 1))}`
}
<p>${guarantee}</p>
${report.property === null ? undefined : html`<p class="hint">A report, for example, on <a href="${report.url ?? '/report'}">${report.property}</a>; the <a href="/report">viewer</a> draws it.</p>`}
</section>`;
}

/** What a buyer can hold the service to. */
function proof(): Markup {
  const promises = [
    ['Pay only for data', 'A question that matches nothing is 404 with billed: false, and costs $0.00.'],
    ['Pay once', 'The same payment sent twice gets the same reply and one transfer; the reply again for 24 hours.'],
    [
      'Claims checked',
      'Each claimed cap rate stands beside the one on HUD rents, with the inputs to compute it again.',
    ],
  ] as const;
  return html`<ul class="cards">${promises.map(([name, says]) => html`<li class="card"><h3>${name}</h3><p>${says}</p></li>`)}</ul>`;
}

function figures({ coverage, signals_feed: signals, auctions_feed: auctions }: Meta): Markup {
  const shown: readonly (readonly [string, string | Markup])[] = [
    ['active deals', showCount(coverage.active_records)],
    ['rated Hot', showCount(coverage.hot)],
    ['rated Warm', showCount(coverage.warm)],
    ['cities', showCount(coverage.cities)],
    ['tax-debt signals', showCount(signals.coverage.total_signals)],
    ['upcoming sales', showCount(auctions.coverage.upcoming_sales)],
    ['next sale', momentOr(auctions.coverage.next_sale_date, 'none known')],
    ['freshest listing', momentOr(coverage.freshest_verification, 'not yet')],
  ];
  return html`<dl class="figures">${shown.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

const momentOr = (moment: string | null, otherwise: string): Markup | string =>
  moment === null ? otherwise : showMoment(moment);

function section(id: string, title: string, intro: Markup, body?: Markup): Markup {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${intro}
${body}
</section>`;
}

/** The price of each call from the contract: first priced calls, then free calls on data and payments. */
export function priceList({ operations }: Contract): Markup {
  const isPriced = ({ priceUsd }: ContractOperation): boolean => priceUsd !== undefined;
  const isDocument = ({ tags }: ContractOperation): boolean => tags.includes('discovery') || tags.includes('health');
  const free = operations.filter((operation) => !isPriced(operation) && !isDocument(operation));
  return html`<div class="scroll" role="region" aria-label="Prices" tabindex="0">
<table class="prices">
<thead><tr><th scope="col">Call</th><th scope="col">What you get</th><th scope="col" class="number">Price</th></tr></thead>
<tbody>${operations.filter(isPriced).map(row)}</tbody>
<tbody>${free.map(row)}</tbody>
</table>
</div>`;
}

function row(operation: ContractOperation): Markup {
  const { path, priceUsd, operationId } = operation;
  const name = (operationNames as Readonly<Record<string, string>>)[operationId] ?? path;
  const code = html`<b>${name.replaceAll('_', ' ')}</b> <code>${path}</code>`;
  // A paid address is a page for people, which sells.
  const call = priceUsd === undefined || path.includes('{') ? code : html`<a href="${path}">${code}</a>`;
  return html`<tr><th scope="row">${call}</th><td>${operation.summary}</td><td class="number price">${priceLabel(operation)}</td></tr>`;
}
