import type { Contract, ContractOperation } from '../../contract/contract.js';
import { priceLabel } from '../../contract/price-label.js';
import { html, type Markup } from '../markup.js';

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
  return html`<tr><th scope="row"><code>${operation.path}</code></th><td>${operation.summary}</td><td class="number price">${priceLabel(operation)}</td></tr>`;
}
