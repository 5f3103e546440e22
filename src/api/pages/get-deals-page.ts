import type { CountedMatches, Meta } from '../../../generated/types.gen.js';
import { readRendered, Rendered } from '../../contract/rendered.js';
import { ServiceError } from '../../errors.js';
import { dealsPage, type DealsPageInputs } from '../../pages/shop/deals-page.js';
import type { Handler, Handlers } from '../handler.js';

type Parts = Pick<DealsPageInputs, 'site' | 'contract' | 'terms'> & Pick<Handlers, 'getMeta' | 'countMatches'>;

/** GET /deals: the browsing page. Over the limits of /api/count it shows no count. */
export function createGetDealsPage({ getMeta, countMatches, ...parts }: Parts): Handler<'getDealsPage'> {
  return async ({ query, ...input }) => {
    const [meta, counted] = await Promise.all([
      getMeta({ query: {}, path: {} }),
      countedOrNothing(() => countMatches({ ...input, query: { ...query, of: 'deals' } })),
    ]);
    const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    const body = dealsPage({
      ...parts,
      query: new URLSearchParams(texts),
      faults: [],
      counted,
      samples: meta.status === 200 ? (plain(meta.body) as Meta).free_samples.deals : [],
    });
    return { status: 200, body, mediaType: 'text/html' };
  };
}

async function countedOrNothing(
  count: () => ReturnType<Handlers['countMatches']>,
): Promise<CountedMatches | undefined> {
  try {
    const reply = await count();
    return reply.status === 200 ? (plain(reply.body) as CountedMatches) : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.reason !== 'invalid_parameter') return undefined;
    throw error;
  }
}

/** The value of a body that may be rendered already. */
const plain = <Body>(body: Body | Rendered<Body>): unknown => (body instanceof Rendered ? readRendered(body) : body);
