import { html } from '../markup.js';
import type { Site } from '../page.js';
import { renderPage } from '../render-page.js';

/** The viewer of bought reports: an empty page. Its script fills it in the browser, and the file never leaves it. */
export function reportViewer(site: Site): string {
  const main = html`<section class="hero screen-only" id="intro">
<h1>Report viewer</h1>
<p class="lead">Shows a report that you bought: what to pay and why, the claim against HUD rents, what if, and the evidence.</p>
<p class="actions"><a class="button" id="sample" href="/report#sample">Open a sample report</a> <a class="button quiet" href="/deals">Browse the deals</a></p>
</section>
<p id="told" class="told" role="alert"></p>
<div id="drawn"></div>
<p class="actions screen-only"><button id="print" class="button quiet" type="button" hidden>Print</button></p>
<details id="drop" class="drop screen-only" open>
<summary>Open a report</summary>
<p><label for="file">A report’s JSON file</label> <input id="file" type="file" accept=".json,application/json"></p>
<p class="hint">Or drop it anywhere on this page, or paste its text. It stays in your browser: nothing is sent, and after a first visit the page works offline.</p>
<form id="again">
<p><label for="payment">Or the id of its payment</label> <input id="payment" name="payment" inputmode="text" autocomplete="off" spellcheck="false" placeholder="0x…" size="30"> <button class="button quiet" type="submit">Fetch with the wallet that paid</button></p>
<p class="hint">The wallet signs a proof that it is the payer, not a payment. The reply is free.</p>
</form>
<noscript><p class="notice">The viewer needs JavaScript.</p></noscript>
</details>
<section id="get-one" class="screen-only" aria-labelledby="get">
<h2 id="get">Where to get one</h2>
<p><a href="/deals">Browse the deals</a> and buy a report in the browser. From a program it is the reply of <code>GET /api/deals/{id}/report</code>; <a href="/api/deals/ids">the id index</a> is free. Save its body unchanged:</p>
<pre tabindex="0" role="group" aria-label="Command that buys a report"><code>BASE_URL=${site.publicBaseUrl} npm run --silent buy -- '/api/deals/{id}/report' --max 1.50 --json > report.json</code></pre>
</section>`;
  return renderPage(site, {
    path: '/report',
    title: 'Report viewer',
    description: 'Displays a bought report in your browser; nothing is sent.',
    main,
    style: 'report.css',
    script: 'report.js',
  });
}
