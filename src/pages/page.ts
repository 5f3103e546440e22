import type { Markup } from './markup.js';

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
  /** Names of stylesheets among the assets, beside those of all pages. */
  readonly styles: readonly string[];
  /** Names of modules among the assets. */
  readonly scripts?: readonly string[];
}
