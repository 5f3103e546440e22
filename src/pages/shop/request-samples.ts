import { html, type Markup } from '../markup.js';
import { type BuyingTerms, commandOf, officialClient } from '../home/ways-to-buy.js';

/** A request in curl, the project's command, TypeScript and Python. */
export function requestSamples(terms: BuyingTerms & { readonly verb?: string | undefined }): Markup {
  const { publicBaseUrl, examplePath, price, verb = `'${examplePath}'` } = terms;
  const limit = price === 'free' ? '' : ` --max ${price.slice(1)}`;
  const url = `${publicBaseUrl}${examplePath}`;
  const python = [
    'client = x402Client()',
    "register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ['PRIVATE_KEY'])))",
    'async with x402HttpxClient(client, timeout=60) as http:',
    `    reply = await http.get(${JSON.stringify(url)})`,
  ].join('\n');
  const samples = [
    [
      'curl',
      `curl -i '${url}'`,
      price === 'free' ? 'Returns the data.' : 'Shows the price. A client signs it and sends the same request again.',
    ],
    [
      'Command',
      `BASE_URL=${publicBaseUrl} ${commandOf(terms)} ${verb}${limit}`,
      price === 'free' ? 'Prints a table.' : 'Pays and prints a table.',
    ],
    ['TypeScript', officialClient(terms), 'The official x402 client with a viem account.'],
    ['Python', python, 'The official x402 client of PyPI.'],
  ] as const;
  return html`<div class="samples-of">${samples.map(
    ([name, text, note]) => html`<details>
<summary>${name}</summary>
<pre tabindex="0" role="group" aria-label="${name}: sample"><code>${text}</code></pre>
<p class="hint">${note}</p>
</details>`,
  )}</div>`;
}
