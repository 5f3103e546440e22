import { type Contract, type ContractOperation, isForData, priceLabel } from '../../contract/contract.js';
import { kebabCase, operationNames } from '../../wire/operation-names.js';
import { html, type Markup } from '../markup.js';
import type { BuyingTerms } from '../home/ways-to-buy.js';
import type { Site } from '../page.js';
import { renderPage } from '../render-page.js';
import { recordFields } from '../shop/record-fields.js';
import { problemKindOf } from '../../operations/problem.js';
import { reasonsOf } from '../../operations/reasons-of.js';
import { requestSamples } from '../shop/request-samples.js';
import { withCode } from '../with-code.js';
import { operationAsText } from './operation-text.js';

type Terms = Pick<BuyingTerms, 'network' | 'asset' | 'isLocal'>;

/** The page of the API reference, from the contract: products first, then what is free; the rest is folded away. */
export function docsPage(site: Site, contract: Contract, terms: Terms): string {
  const { operations } = contract;
  const products = operations.filter(({ priceUsd }) => priceUsd !== undefined);
  const free = operations.filter((operation) => operation.priceUsd === undefined && isForData(operation));
  const others = operations.filter((operation) => operation.priceUsd === undefined && !isForData(operation));
  const section = (operation: ContractOperation): Markup => entry(site, contract, terms, operation);
  const main = html`<div class="reference">
<nav class="contents" aria-label="Operations">
<details open>
<summary>Operations</summary>
<label for="find">Find</label> <input id="find" type="search" autocomplete="off">
<p>Paid</p>
<ul>${products.map(link)}</ul>
<p>Free</p>
<ul>${free.map(link)}</ul>
</details>
</nav>
<div class="operations">
<p class="go" hidden><label for="go">Operation</label> <select id="go">${[...products, ...free].map((operation) => html`<option value="${operation.operationId}">${nameOf(operation)}, ${priceLabel(operation)}</option>`)}</select></p>
<section class="hero">
<h1>API reference</h1>
<p class="lead">Each call is paid for on its own with x402 in USDC. Only a reply with data is billed, once.</p>
<p>Another viewer reads <a href="/openapi.json">/openapi.json</a>; a generator of clients <a href="/openapi.plain.json">/openapi.plain.json</a>.</p>
</section>
${products.map(section)}
${free.map(section)}
<details class="others">
<summary>Documents, pages and probes (${others.length})</summary>
${others.map(section)}
</details>
</div>
</div>`;
  return renderPage(site, {
    path: '/docs',
    title: 'API reference',
    description: 'Every operation with its price, parameters, fields, errors and samples that run.',
    main,
    style: 'docs.css',
    script: 'docs.js',
  });
}

/** What people call an operation: its name as a tool, else its path. */
const nameOf = ({ operationId, path }: ContractOperation): string =>
  (operationNames as Readonly<Record<string, string>>)[operationId] ?? path;

function link(operation: ContractOperation): Markup {
  return html`<li><a href="#${operation.operationId}">${nameOf(operation)} <span>${priceLabel(operation)}</span></a></li>`;
}

function entry(site: Site, contract: Contract, terms: Terms, operation: ContractOperation): Markup {
  const { operationId: id, path, summary, description, parameters, priceUsd } = operation;
  const asked = parameters.filter((parameter) => parameter.in !== 'header');
  const isList = operation.replies.get(200)?.has('application/json') === true;
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name"><a href="#${id}">${nameOf(operation)}</a> <span class="price">${priceLabel(operation)}</span></h2>
<p><code>GET ${path}</code></p>
<p><b>${summary}.</b> ${withCode(description.trim())}</p>
${asked.length === 0 ? undefined : parameterList(asked)}
${isList && isForData(operation) ? recordFields(contract.document, operation, 1) : undefined}
${errorsOf(operation)}
${samplesOf(site, terms, operation)}
${action(operation)}
<details class="for-models"><summary>Copy for a language model</summary>
<pre tabindex="0" role="group" aria-label="${nameOf(operation)} as text"><code>${operationAsText(operation)}</code></pre></details>
${priceUsd === undefined ? undefined : html`<p class="hint">A question that matches nothing is 404 and free.</p>`}
</article>`;
}

function parameterList(parameters: ContractOperation['parameters']): Markup {
  return html`<details${parameters.length > 8 ? undefined : html` open`}><summary>${parameters.length} ${parameters.length === 1 ? 'parameter' : 'parameters'}</summary>
<dl>${parameters.map(
    ({ name, required, type, values, description }) =>
      html`<div><dt><code>${name}</code> ${type === 'array' ? 'texts with commas' : type}${required ? ', required' : ''}</dt><dd>${withCode(description.trim())}${values === undefined ? undefined : html` One of ${values.join(', ')}.`}</dd></div>`,
  )}</dl></details>`;
}

/** The reasons that the operation can give, by status, each with its entry of /errors. */
function errorsOf(operation: ContractOperation): Markup {
  const given = reasonsOf(operation);
  const statusOf = (reason: (typeof given)[number]): number => problemKindOf(reason).status;
  const statuses = [...new Set(given.map(statusOf))].sort((one, other) => one - other);
  return html`<details><summary>${given.length} errors</summary>
<dl>${statuses.map(
    (status) =>
      html`<div><dt>${status}</dt><dd>${given.filter((reason) => statusOf(reason) === status).map((reason) => html`<a href="/errors#${reason}">${reason}</a> `)}</dd></div>`,
  )}</dl></details>`;
}

/** What the reader sets, in the samples of an operation whose path has a part that only a purchase gives. */
const fromReplies: Readonly<Record<string, string>> = {
  '{payment_id}': 'PAYMENT_ID is the payment of your receipt, such as the command prints.',
  '{token}': 'TOKEN is the last part of the address in the Link header of a list that you bought.',
};

/** Samples of what can be asked as it stands. */
function samplesOf(site: Site, terms: Terms, operation: ContractOperation): Markup | undefined {
  const { path, operationId, parameters } = operation;
  const [part = ''] = /\{\w+\}/.exec(path) ?? [];
  if (part === '{asset}') return undefined;
  const needed = parameters.filter(({ required, in: place }) => required && place === 'query');
  const query = new URLSearchParams(
    Object.fromEntries(needed.map(({ name, example = '' }) => [name, example])),
  ).toString();
  const examplePath = query === '' ? path : `${path}?${query}`;
  const name = (operationNames as Readonly<Record<string, string>>)[operationId];
  const verb = name === undefined ? undefined : [kebabCase(name), ...needed.map(({ example = '' }) => `"${example}"`)];
  const samples = requestSamples({
    ...{ ...terms, ...site, examplePath, price: priceLabel(operation) },
    verb: verb?.join(' '),
  });
  const hint = fromReplies[part];
  return hint === undefined ? samples : html`<p class="hint">${hint}</p>${samples}`;
}

function action(operation: ContractOperation): Markup | undefined {
  const { path, priceUsd } = operation;
  if (path.includes('{') || !isForData(operation)) return undefined;
  if (priceUsd !== undefined) return html`<p><a class="button" href="${path}">Buy $${priceUsd}</a></p>`;
  return operation.parameters.some(({ required }) => required)
    ? undefined
    : html`<p><a class="button quiet" href="${path}">Run</a></p>`;
}
