import { html, type Markup } from '../markup.js';

export interface BuyingTerms {
  readonly publicBaseUrl: string;
  /** The published command, such as `deals-feed@1.0.0`; undefined where its owner has published none. */
  readonly clientPackage?: string | undefined;
  /** CAIP-2 name of the settlement network. */
  readonly network: string;
  /** Address of the token. */
  readonly asset: string;
  /** True when official clients must be configured with the token, because it is the demonstration's own. */
  readonly isLocal: boolean;
  /** A priced path that matches records, with its price such as $0.05. */
  readonly examplePath: string;
  readonly price: string;
}

/** How to buy from this server in code, with curl, on the command line and through MCP. */
export function waysToBuy(terms: BuyingTerms): Markup {
  const { publicBaseUrl, examplePath, price } = terms;
  const url = `${publicBaseUrl}${examplePath}`;
  return html`<div class="ways">
${way('Three lines of code', officialClient(terms), html`The official x402 client with a viem <code>account</code> that holds USDC. It sends the request, reads the price from the 402, signs, and sends the request again.`)}
${way('curl', `curl -i '${url}'`, html`Without a payment the reply is a 402 with the price (${price}) and the payload to sign. Send the same request again with <code>PAYMENT-SIGNATURE</code>.`)}
${way('Command line', `BASE_URL=${publicBaseUrl} ${commandOf(terms)} '${examplePath}'`, html`Shows the price, pays, prints a table; <code>--csv</code> and <code>--json</code> for programs, <code>--dry-run</code> to pay nothing.`)}
${way('Agent', JSON.stringify(agentConfig(terms), undefined, 2), html`Each call is an MCP tool, paid within the budget. A client that pays by x402 itself can use <code>${publicBaseUrl}/mcp</code>.`)}
</div>`;
}

/** The bridge that pays for an agent's calls, as its host starts it. */
function agentConfig({ publicBaseUrl, clientPackage }: BuyingTerms): object {
  const start =
    clientPackage === undefined
      ? { command: 'node', args: ['dist/bin/deals-feed.js', 'mcp', '--budget', '2.00'] }
      : { command: 'npx', args: ['-y', clientPackage, 'mcp', '--budget', '2.00'] };
  return { mcpServers: { deals: { ...start, env: { BASE_URL: publicBaseUrl } } } };
}

/** The command as people start it: the published package, else from a clone. A name that nobody owns is not run. */
export function commandOf({ clientPackage }: Pick<BuyingTerms, 'clientPackage'>): string {
  return clientPackage === undefined ? 'npm run buy --' : `npx -y ${clientPackage}`;
}

function way(name: string, sample: string, note: Markup): Markup {
  return html`<section class="way">
<h3>${name}</h3>
<pre tabindex="0" role="group" aria-label="${name}: sample"><code>${sample}</code></pre>
<p>${note}</p>
</section>`;
}

/** Official clients pay no more in one call unless they are told so. */
const officialLimitUsd = 1;

/** The lines that buy with the official client; `url` is an expression. */
export function officialClient(
  { publicBaseUrl, examplePath, price, network, asset, isLocal }: BuyingTerms,
  url = `'${publicBaseUrl}${examplePath}'`,
): string {
  const controls = isLocal
    ? `allowedAssets: [{ network: '${network}', asset: '${asset}' }]`
    : Number(price.slice(1)) > officialLimitUsd
      ? `maxAmountPerPayment: '${price}'`
      : '';
  const spendControls = controls === '' ? '' : `, spendControls: { ${controls} }`;
  return [
    `const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network: '${network}', client: new ExactEvmScheme(account) }]${spendControls} });`,
    `const reply = await pay(${url});`,
    'const deals = await reply.json();',
  ].join('\n');
}
