import { html } from '../markup.js';
import { pageHead, topBar } from '../render-page.js';
import type { Site } from '../page.js';

/** The reference script inserts styles into its page; all other rules are those of every page. */
export const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page of the API reference. It loads its script from this server and nothing from other origins. */
export function docsPage(site: Site): string {
  return html`<!doctype html>
<html lang="en">
<head>
${pageHead(site, reference)}</head>
<body>
${topBar(site.name, '/docs')}
<main id="reference"><noscript>This page needs a script from this server. The contract itself is at <a href="/openapi.yaml">/openapi.yaml</a>.</noscript></main>
<script src="/docs/reference.js"></script>
</body>
</html>
`.text;
}

const reference = {
  path: '/docs',
  title: 'API reference',
  description: 'Every operation with its price, parameters and answers, to be tried from the page.',
  style: 'docs.css',
};
