import { houseIcon } from '../house-icon.js';
import { html } from '../markup.js';
import type { Site } from '../page.js';
import { topBar } from '../top-bar.js';

/** The program of the reference writes styles into its page; all else is as on every page. */
export const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page of the API reference. It loads its program from this server and nothing from elsewhere. */
export function docsPage({ name }: Site): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${name}</title>
<meta name="description" content="Every operation with its price, parameters and answers, to be tried from the page.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${houseIcon}">
<link rel="stylesheet" href="/assets/colours.css">
<link rel="stylesheet" href="/assets/docs.css">
</head>
<body>
${topBar(name, '/docs')}
<main id="reference"><noscript>This page needs a script from this server. The contract itself is at <a href="/openapi.yaml">/openapi.yaml</a>.</noscript></main>
<script src="/docs/reference.js"></script>
</body>
</html>
`.text;
}
