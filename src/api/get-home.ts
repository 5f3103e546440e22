import { Rendered, concatBytes } from '../contract/rendered.js';
import { homePage, type HomeInputs } from '../pages/home/home-page.js';
import type { DealFeed } from './deal-feed.js';
import type { Handler, Handlers } from './handler.js';

export interface HomePorts extends Pick<HomeInputs, 'site' | 'contract' | 'terms'> {
  /** Deals of a version of the feed by five-digit FIPS code of their county. */
  readonly countByCounty: (version: number) => Promise<ReadonlyMap<string, number>>;
}

interface HomeParts extends HomePorts, Pick<Handlers, 'getMeta' | 'listSources'> {
  readonly feed: DealFeed;
}

/** GET /: the landing page, from what the metadata and the sources say now. Drawn once for the same. */
export function createGetHome({ feed, getMeta, listSources, ...parts }: HomeParts): Handler<'getHome'> {
  const countByCounty = createOncePerVersion(parts.countByCounty);
  let drawn: { readonly meta: unknown; readonly sources: string; readonly body: string } | undefined;

  return async () => {
    const [meta, sources] = await Promise.all([getMeta(nothing), listSources(nothing)]);
    if (meta.status !== 200 || sources.status !== 200) throw new Error('The landing page has nothing to show');
    const told = JSON.stringify(read(sources.body));
    // The metadata are the same bytes until something in them changes, the version of the feed among it.
    if (drawn?.meta !== meta.body || drawn.sources !== told) {
      const dealsByCounty = await countByCounty(feed.current().version);
      const body = homePage({ ...parts, meta: read(meta.body), sources: read(sources.body), dealsByCounty });
      drawn = { meta: meta.body, sources: told, body };
    }
    return { status: 200, body: drawn.body, mediaType: 'text/html' };
  };
}

const nothing = { query: {}, path: {} };

/** The value behind a body that may be rendered already. */
function read<Body>(body: Body | Rendered<Body>): Body {
  return body instanceof Rendered ? (JSON.parse(Buffer.from(concatBytes(body)).toString('utf8')) as Body) : body;
}

/** Counts each version once, and again when that failed. */
function createOncePerVersion(count: HomePorts['countByCounty']): HomePorts['countByCounty'] {
  let last: { readonly version: number; readonly counts: Promise<ReadonlyMap<string, number>> } | undefined;
  return (version) => {
    if (last?.version !== version) {
      const attempt = { version, counts: count(version) };
      last = attempt;
      attempt.counts.catch(() => (last = last === attempt ? undefined : last));
    }
    return last.counts;
  };
}
