import { type ContractOperation, priceLabel } from '../../contract/contract.js';
import type { BuyingTerms } from '../home/ways-to-buy.js';
import { html, type Markup } from '../markup.js';
import { productOf } from './product.js';

/** What buys a request in the browser, with its price; where there are no scripts, what to do. */
export function buyButton(
  operation: ContractOperation,
  { isLocal }: Pick<BuyingTerms, 'isLocal'>,
  path: string,
): Markup {
  const { name, buy } = productOf(operation);
  const data = html`data-path="${path}" data-title="${name}" data-price="${operation.priceUsd}" data-local="${String(isLocal)}"`;
  return html`<p class="actions"><button id="buy" class="button" type="button" ${data}>${buy}, ${priceLabel(operation)}</button></p>
<noscript><p class="notice">Paying here needs JavaScript. Without it, pay from a program: <a href="/#buy">How to buy</a>.</p></noscript>`;
}
