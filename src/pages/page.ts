import type { Markup } from './markup.js';

/** The parts shared by all pages of a server. */
export interface Site {
  /** Name of the service. */
  readonly name: string;
  /** Version of the contract. */
  readonly version: string;
  readonly publicBaseUrl: string;
  /** The published command, such as `deals-feed@1.0.0`; undefined where its owner has published none. */
  readonly clientPackage?: string | undefined;
}

export interface Page {
  readonly path: string;
  readonly title: string;
  /** One sentence for search engines and previews. */
  readonly description: string;
  readonly main: Markup;
  /** Name of its stylesheet among the assets. */
  readonly style: string;
  /** Name of its module among the assets. */
  readonly script?: string;
}
