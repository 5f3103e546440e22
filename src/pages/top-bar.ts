import { html, type Markup } from './markup.js';

const places = [
  { path: '/', label: 'Overview' },
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
