import { html, type Markup } from './markup.js';

/** Text between backquotes becomes code. */
export const withCode = (text: string): Markup[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
