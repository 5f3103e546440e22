import { html, type Markup } from '../markup.js';
import { type BuyingTerms, commandOf, officialClient } from '../home/ways-to-buy.js';

/** A request to show in several languages; `examplePath` may hold one part in braces, such as `{id}`. */
export interface SampleTerms extends BuyingTerms {
  /** The command's words in place of the path. */
  readonly verb?: string | undefined;
}

/** A request in curl, the project's command, TypeScript and Python: each a whole program that runs as it stands. */
export function requestSamples(terms: SampleTerms): Markup {
  const isFree = terms.price === 'free';
  const samples = [
    [
      'curl',
      curl(terms),
      isFree ? 'Returns the data.' : 'Shows the price. A client signs it and sends the same request again.',
    ],
    ['Command', command(terms), isFree ? 'Prints a table.' : 'Pays and prints a table.'],
    [
      'TypeScript',
      isFree ? freeScript(terms) : paidScript(terms),
      isFree ? 'Node.js.' : 'The official client: npm install @x402/fetch @x402/evm viem',
    ],
    [
      'Python',
      isFree ? freePython(terms) : paidPython(terms),
      isFree ? 'Python 3.' : 'The official client: pip install "x402[evm,httpx]"',
    ],
  ] as const;
  return html`<div class="samples-of">${samples.map(
    ([name, text, note]) => html`<details>
<summary>${name}</summary>
<pre tabindex="0" role="group" aria-label="${name}: sample"><code>${text}</code></pre>
<p class="hint">${note}</p>
</details>`,
  )}</div>`;
}

/** What stands for a part in braces: the id of a live deal, or a variable that the reader sets from a reply. */
function partOf({ examplePath }: SampleTerms): {
  readonly part: string;
  readonly isDeal: boolean;
  readonly variable: string;
} {
  const [part = '', name = ''] = /\{(\w+)\}/.exec(examplePath) ?? [];
  return { part, isDeal: name === 'id', variable: name.toUpperCase() };
}

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The address for a shell, and the line that reads the id of a live deal. */
function inShell(terms: SampleTerms): { readonly before: string; readonly value: string; readonly url: string } {
  const { publicBaseUrl, examplePath } = terms;
  const { part, isDeal, variable } = partOf(terms);
  if (part === '') return { before: '', value: '', url: `'${publicBaseUrl}${examplePath}'` };
  const value = isDeal ? '$id' : `$${variable}`;
  const before = isDeal ? `id=$(curl -s '${publicBaseUrl}/api/deals/ids' | grep -oE '${uuid}' | head -1)\n` : '';
  return { before, value, url: `"${publicBaseUrl}${examplePath.replace(part, value)}"` };
}

function curl(terms: SampleTerms): string {
  const { before, url } = inShell(terms);
  return `${before}curl -i ${url}`;
}

function command(terms: SampleTerms): string {
  const { publicBaseUrl, examplePath, price, verb } = terms;
  const { before, value } = inShell(terms);
  const words = verb === undefined ? `'${examplePath}'` : value === '' ? verb : `${verb} "${value}"`;
  const limit = price === 'free' ? '' : ` --max ${price.slice(1)}`;
  return `${before}BASE_URL=${publicBaseUrl} ${commandOf(terms)} ${words}${limit}`;
}

/** The address in JavaScript, and the line that reads the id of a live deal. */
function inScript(terms: SampleTerms): { readonly before: readonly string[]; readonly url: string } {
  const { publicBaseUrl, examplePath } = terms;
  const { part, isDeal, variable } = partOf(terms);
  if (part === '') return { before: [], url: `'${publicBaseUrl}${examplePath}'` };
  const value = isDeal ? '${ids[0].id}' : `\${process.env.${variable}}`;
  const before = isDeal ? [`const { ids } = await (await fetch('${publicBaseUrl}/api/deals/ids')).json();`] : [];
  return { before, url: `\`${publicBaseUrl}${examplePath.replace(part, value)}\`` };
}

function freeScript(terms: SampleTerms): string {
  const { before, url } = inScript(terms);
  return [...before, `const reply = await fetch(${url});`, 'console.log(await reply.text());'].join('\n');
}

function paidScript(terms: SampleTerms): string {
  const { before, url } = inScript(terms);
  return [
    "import { ExactEvmScheme } from '@x402/evm';",
    "import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';",
    "import { privateKeyToAccount } from 'viem/accounts';",
    '',
    'const account = privateKeyToAccount(process.env.PRIVATE_KEY as `0x${string}`);',
    ...before,
    ...officialClient(terms, url).split('\n').slice(0, 2),
    'console.log(await reply.json());',
  ].join('\n');
}

/** The address in Python, and the lines that read the id of a live deal. */
function inPython(terms: SampleTerms, read: string): { readonly before: readonly string[]; readonly url: string } {
  const { publicBaseUrl, examplePath } = terms;
  const { part, isDeal, variable } = partOf(terms);
  if (part === '') return { before: [], url: JSON.stringify(publicBaseUrl + examplePath) };
  const value = isDeal ? 'ids[0]["id"]' : `os.environ["${variable}"]`;
  const [start = '', end = ''] = examplePath.split(part);
  const before = isDeal ? [`ids = ${read.replace('URL', `"${publicBaseUrl}/api/deals/ids"`)}["ids"]`] : [];
  return { before, url: `"${publicBaseUrl}${start}" + ${value}${end === '' ? '' : ` + "${end}"`}` };
}

function freePython(terms: SampleTerms): string {
  const { before, url } = inPython(terms, 'json.load(urlopen(URL))');
  const modules = [...(before.length > 0 ? ['json'] : []), ...(url.includes('os.environ') ? ['os'] : [])];
  return [
    ...(modules.length > 0 ? [`import ${modules.join(', ')}`] : []),
    'from urllib.request import urlopen',
    '',
    ...before,
    `print(urlopen(${url}).read().decode())`,
  ].join('\n');
}

function paidPython(terms: SampleTerms): string {
  const { before, url } = inPython(terms, '(await http.get(URL)).json()');
  const isGuarded = !terms.isLocal && Number(terms.price.slice(1)) <= 1;
  return [
    'import asyncio, os',
    'from eth_account import Account',
    'from x402 import x402Client',
    'from x402.http.clients import x402HttpxClient',
    'from x402.mechanisms.evm import EthAccountSigner',
    'from x402.mechanisms.evm.exact.register import register_exact_evm_client',
    '',
    'async def main():',
    '    client = x402Client()',
    ...(isGuarded ? [] : ['    client.set_spend_controls(False)']),
    '    register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ["PRIVATE_KEY"])))',
    '    async with x402HttpxClient(client, timeout=60) as http:',
    ...before.map((line) => `        ${line}`),
    `        reply = await http.get(${url})`,
    '        print((await reply.aread()).decode())',
    '',
    'asyncio.run(main())',
  ].join('\n');
}
