import { houseIcon } from './house-icon.js';
import { html, type Markup } from './markup.js';
import { topBar } from './top-bar.js';

/** What all pages of a server share. */
export interface Site {
  /** Name of the service. */
  readonly name: string;
  /** Version of the contract. */
  readonly version: string;
  readonly publicBaseUrl: string;
}

export interface Page {
  readonly path: string;
  readonly title: string;
  /** One sentence, for search engines and previews. */
  readonly description: string;
  readonly main: Markup;
  /** Names of its own stylesheets among the assets. */
  readonly styles: readonly string[];
  /** Names of modules among the assets. */
  readonly scripts?: readonly string[];
}

/** The whole document of a page: it can be read without its scripts, and loads nothing from elsewhere. */
export function renderPage({ name, version, publicBaseUrl }: Site, page: Page): string {
  const title = page.path === '/' ? name : `${page.title} · ${name}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.description}">
<meta name="color-scheme" content="light dark">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${publicBaseUrl}${page.path}">
<link rel="canonical" href="${publicBaseUrl}${page.path}">
<link rel="icon" href="${houseIcon}">
<link rel="service-desc" href="/openapi.json" type="application/json">
<link rel="service-doc" href="/docs" type="text/html">
${['colours.css', 'house.css', ...page.styles].map((style) => html`<link rel="stylesheet" href="/assets/${style}">\n`)}${(page.scripts ?? []).map((script) => html`<script type="module" src="/assets/${script}"></script>\n`)}</head>
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
