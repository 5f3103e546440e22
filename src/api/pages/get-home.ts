import type { Meta } from '../../../generated/types.gen.js';
import { readRendered, Rendered } from '../../contract/rendered.js';
import { homePage, type HomeInputs } from '../../pages/home/home-page.js';
import { memoizeLast } from '../../operations/memoize-last.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import { feedRevision } from '../data/answers.js';
import type { Handler, Handlers } from '../handler.js';

export interface HomePorts extends Pick<HomeInputs, 'site' | 'contract' | 'terms'> {
  /** Deals of a feed version by five-digit county FIPS code, without some of them. */
  readonly countByCounty: (version: number, without: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

interface HomeParts extends HomePorts, Pick<Handlers, 'getMeta' | 'listSources'> {
  readonly feed: DealFeed;
}

/** GET /: the landing page, from the current metadata and sources. */
export function createGetHome({ feed, getMeta, listSources, ...parts }: HomeParts): Handler<'getHome'> {
  const countByCounty = memoizeLast((_revision: string) => {
    const { version, records } = feed.current();
    const shown = feed.hasTakedowns() ? new Set([...feed.shown()].map(({ id }) => id)) : undefined;
    return parts.countByCounty(version, shown ? [...records].flatMap(({ id }) => (shown.has(id) ? [] : id)) : []);
  });

  return async () => {
    const [meta, sources] = await Promise.all([getMeta(nothing), listSources(nothing)]);
    if (meta.status !== 200 || sources.status !== 200) throw new Error('The landing page has nothing to show');
    const dealsByCounty = await countByCounty(feedRevision(feed));
    const body = homePage({ ...parts, meta: read(meta.body) as Meta, sources: read(sources.body), dealsByCounty });
    return { status: 200, body, mediaType: 'text/html' };
  };
}

const nothing = { query: {}, path: {} };

/** The value of a body that may be rendered already. */
function read<Body>(body: Body | Rendered<Body>): Body {
  return body instanceof Rendered ? (readRendered(body) as Body) : body;
}
