import type { CookieJar } from '../../upstream/cookie-jar.js';

/** What a reader of a county's sale pages needs. */
export interface SalesSite {
  /** Name of the source, for errors. */
  readonly name: string;
  /** Absolute, without a trailing slash. */
  readonly baseUrl: string;
  /** Fetches one page within the session of the cookies. */
  getPage(url: string, cookies: CookieJar): Promise<string>;
  /** The same for a page that may be gone: undefined when the site says it does not exist. */
  findPage(url: string, cookies: CookieJar): Promise<string | undefined>;
}
