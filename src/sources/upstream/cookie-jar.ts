export type CookieJar = ReturnType<typeof createCookieJar>;

const maxCookies = 50;
const maxCookieLength = 4096;

/**
 * Creates an empty jar for the cookies of one session with one server, in memory. Cookie paths and domains are ignored:
 * a session uses one origin.
 */
export function createCookieJar(sessionUrl: string) {
  const { origin } = new URL(sessionUrl);
  const cookies = new Map<string, string>();
  return {
    /** The Cookie header for an address of the session's origin; undefined when there is none. */
    header(url: string): string | undefined {
      if (new URL(url).origin !== origin || cookies.size === 0) return undefined;
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    /** Keeps the cookies that a reply set, except those of other origins. */
    take(url: string, setCookies: readonly string[] = []): void {
      if (new URL(url).origin !== origin) return;
      for (const text of setCookies) {
        const match = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([!-:<-~]*)/.exec(text);
        if (match?.[1] === undefined || text.length > maxCookieLength) continue;
        if (/;\s*max-age\s*=\s*(0|-\d+)\s*(;|$)/i.test(text)) cookies.delete(match[1]);
        else if (cookies.size < maxCookies || cookies.has(match[1])) cookies.set(match[1], match[2] ?? '');
      }
    },
    get isEmpty() {
      return cookies.size === 0;
    },
    clear: () => cookies.clear(),
  };
}
