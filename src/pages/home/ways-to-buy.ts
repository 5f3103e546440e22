import { html, type Markup } from '../markup.js';

export interface BuyingTerms {
  readonly publicBaseUrl: string;
  /** CAIP-2 name of the network payments settle on. */
  readonly network: string;
  /** Address of the token. */
  readonly asset: string;
  /** Whether official clients must be told of the token, because it is the demonstration's own. */
  readonly isLocal: boolean;
  /** A path that costs something and finds something, with its price such as $0.05. */
  readonly examplePath: string;
  readonly price: string;
}

/** How to buy in code, with curl, on the command line and through MCP, for this server as it is. */
export function waysToBuy(terms: BuyingTerms): Markup {
  const { publicBaseUrl, examplePath, price } = terms;
  const url = `${publicBaseUrl}${examplePath}`;
  return html`<div class="ways">
${way('Three lines of code', code(terms), html`The official x402 client with a viem <code>account</code> that holds USDC. It asks, reads the price from the 402, signs, and asks again.`)}
${way('curl', `curl -i '${url}'`, html`Without a payment the answer is a 402 with the price (${price}) and what to sign. Send the same request again with <code>PAYMENT-SIGNATURE</code>.`)}
${way('Command line', `BASE_URL=${publicBaseUrl} npm run buy -- '${examplePath}'`, html`Shows the price, pays, prints a table; <code>--csv</code> and <code>--json</code> for programs, <code>--dry-run</code> to pay nothing.`)}
${way('MCP', JSON.stringify({ mcpServers: { deals: { type: 'http', url: `${publicBaseUrl}/mcp` } } }, undefined, 2), html`Every call as a tool for agents, with its price in the description.`)}
</div>`;
}

function way(name: string, sample: string, note: Markup): Markup {
  return html`<section class="way">
<h3>${name}</h3>
<pre tabindex="0" role="group" aria-label="${name}: sample"><code>${sample}</code></pre>
<p>${note}</p>
</section>`;
}

function code({ publicBaseUrl, examplePath, network, asset, isLocal }: BuyingTerms): string {
  const spendControls = isLocal
    ? `, spendControls: { allowedAssets: [{ network: '${network}', asset: '${asset}' }] }`
    : '';
  return [
    `const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network: '${network}', client: new ExactEvmScheme(account) }]${spendControls} });`,
    `const reply = await pay('${publicBaseUrl}${examplePath}');`,
    'const deals = await reply.json();',
  ].join('\n');
}
