import { html } from './markup.js';
import { pageHead } from './page-head.js';
import type { Page, Site } from './page.js';
import { topBar } from './top-bar.js';

/** The whole document of a page. It is readable without scripts and loads nothing from other origins. */
export function renderPage(site: Site, page: Page): string {
  const { name, version } = site;
  return html`<!doctype html>
<html lang="en">
<head>
${pageHead(site, { ...page, styles: ['colours.css', 'house.css', ...page.styles] })}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${topBar(name, page.path)}
<main id="main">
${page.main}
</main>
<footer class="bottom">
<p>${name}, contract ${version}. <a href="/openapi.json">OpenAPI</a> · <a href="/llms.txt">For language models</a> · <a href="/api/meta">Metadata</a> · <a href="/api/sources">Sources</a></p>
</footer>
</body>
</html>
`.text;
}
