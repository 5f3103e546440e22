import { html, type Markup } from './markup.js';
import type { Page, Site } from './page.js';

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
${page.styles.map((style) => html`<link rel="stylesheet" href="/assets/${style}">\n`)}${(page.scripts ?? []).map((script) => html`<script type="module" src="/assets/${script}"></script>\n`)}`;
}
