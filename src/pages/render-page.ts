import { html, type Markup } from './markup.js';
import type { Page, Site } from './page.js';
import { assetUrl } from './page-assets.js';

/** The whole document of a page. It is readable without scripts and loads nothing from other origins. */
export function renderPage(site: Site, page: Page): string {
  const { name, version } = site;
  return html`<!doctype html>
<html lang="en">
<head>
${pageHead(site, page)}</head>
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

const places = [
  { path: '/', label: 'Overview' },
  { path: '/deals', label: 'Deals' },
  { path: '/docs', label: 'API reference' },
  { path: '/report', label: 'Report viewer' },
  { path: '/errors', label: 'Errors' },
];

/** The top of every page: the name of the service, and links to the other pages. */
export function topBar(name: string, current: string): Markup {
  const links = places.map(
    ({ path, label }) =>
      html`<a href="${path}"${path === current ? html` aria-current="page"` : undefined}>${label}</a>`,
  );
  return html`<header class="top">
<a class="brand" href="/"><svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true"><path fill-rule="evenodd" d="M2 7l6-5 6 5v7H2zM6 10h4v4H6z"/></svg>${name}</a>
<nav aria-label="Pages">${links}</nav>
</header>`;
}

/** The head of every page: charset and viewport, title, link preview, stylesheets and scripts. */
export function pageHead({ name, publicBaseUrl }: Site, page: Omit<Page, 'main'>): Markup {
  const title = page.title === name ? name : `${page.title} · ${name}`;
  const address = `${publicBaseUrl}${page.path}`;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.description}">
<meta name="color-scheme" content="light dark">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${name}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${address}">
<meta property="og:image" content="${publicBaseUrl}/favicon.svg">
<link rel="canonical" href="${address}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="service-desc" href="/openapi.json" type="application/json">
<link rel="service-doc" href="/docs" type="text/html">
<link rel="stylesheet" href="${assetUrl(page.style)}">
<script type="module" src="${assetUrl(page.script ?? 'bar.js')}"></script>
`;
}
