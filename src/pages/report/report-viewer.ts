import { html } from '../markup.js';
import type { Site } from '../page.js';
import { renderPage } from '../render-page.js';

/**
 * The viewer of bought reports: an empty page that its script fills in the browser, from a file that never leaves it.
 */
export function reportViewer(site: Site): string {
  const main = html`<section class="hero screen-only">
<h1>Report viewer</h1>
<p class="lead">Draws a report that you bought: underwriting side by side, sensitivity, offer range, scores, evidence.</p>
</section>
<section id="drop" class="drop screen-only" aria-labelledby="open">
<h2 id="open">Open a report</h2>
<p><label for="file">A report’s JSON file</label> <input id="file" type="file" accept=".json,application/json"></p>
<p class="hint">Or drop it anywhere on this page, or paste its text. It stays in your browser: nothing is sent anywhere, and once visited the page works without a network.</p>
<form id="again">
<p><label for="payment">Or the id of the payment that bought it</label> <input id="payment" name="payment" inputmode="text" autocomplete="off" spellcheck="false" placeholder="0x…" size="30"> <button class="button quiet" type="submit">Fetch with the wallet that paid</button></p>
<p class="hint">The wallet signs that it is the payer; it signs no payment, and the answer is free.</p>
</form>
<noscript><p class="notice">Drawing a report needs the script of this server.</p></noscript>
</section>
<p id="told" class="told" role="alert"></p>
<p class="actions screen-only"><button id="print" class="button quiet" type="button" hidden>Print</button></p>
<div id="drawn"></div>
<section class="screen-only" aria-labelledby="get">
<h2 id="get">Where to get one</h2>
<p>A report is the answer of <code>GET /api/deals/{id}/report</code>; <a href="/api/deals/ids">the id index</a> is free. Save its body as it comes:</p>
<pre tabindex="0" role="group" aria-label="Command that buys a report"><code>BASE_URL=${site.publicBaseUrl} npm run --silent buy -- '/api/deals/{id}/report' --max 1.50 --json > report.json</code></pre>
</section>`;
  return renderPage(site, {
    path: '/report',
    title: 'Report viewer',
    description: 'Draws a bought report in your browser; nothing is sent anywhere.',
    main,
    styles: ['plots.css', 'report.css'],
    scripts: ['report.js'],
  });
}
