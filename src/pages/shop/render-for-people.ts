import type { CountedMatches, Problem, ReportPreview } from '../../../generated/types.gen.js';
import type { Contract } from '../../contract/contract.js';
import { concatBytes } from '../../contract/rendered.js';
import type { Run } from '../../operations/operation.js';
import type { BuyingTerms } from '../home/ways-to-buy.js';
import { html } from '../markup.js';
import type { Site } from '../page.js';
import { renderPage } from '../render-page.js';
import { dealsPage } from './deals-page.js';
import { productPage, refusal, type Told } from './product-page.js';

export interface PeoplePorts {
  readonly site: Site;
  readonly contract: Contract;
  readonly terms: Pick<BuyingTerms, 'network' | 'asset' | 'isLocal'>;
  readonly operations: ReadonlyMap<string, Run>;
}

/** An error as it was answered to a browser's navigation. */
export interface ToldToPeople extends Omit<Told, 'problem'> {
  readonly operationId: string | undefined;
  /** The JSON of the error. */
  readonly body: string;
  readonly requestId: string;
  readonly address: string;
}

/**
 * Creates what shows an error to a person who followed a link: the product page of a paid address, or a page that says
 * what is wrong. Undefined for a free path of data, which stays JSON.
 */
export function createRenderForPeople({ operations, ...parts }: PeoplePorts) {
  const byId = new Map(parts.contract.operations.map((operation) => [operation.operationId, operation]));

  /** The free count of what the 402 offers, with its bands; the preview of a report is whole in the 402. */
  async function previewOf({ body, requestId, address }: ToldToPeople) {
    const { preview } = JSON.parse(body) as { preview?: { readonly url?: string } | ReportPreview };
    if (preview === undefined || 'sections' in preview) return preview as ReportPreview | undefined;
    const { url = '' } = preview as { readonly url?: string };
    const reply = await operations.get('countMatches')?.({
      ...{ query: url.split('?')[1] ?? '', path: {}, paymentSignatures: [], walletProofs: [], ifNoneMatch: undefined },
      ...{ requestId, address, headOnly: false, isAbandoned: () => false },
    });
    if (reply?.status !== 200 || reply.body === undefined || typeof reply.body === 'string') return undefined;
    return JSON.parse(Buffer.from(concatBytes(reply.body)).toString()) as CountedMatches; // by the contract
  }

  return async (told: ToldToPeople): Promise<string | undefined> => {
    const operation = byId.get(told.operationId ?? '');
    const problem = JSON.parse(told.body) as Problem;
    if (operation?.priceUsd !== undefined) {
      const preview = told.status === 402 ? await previewOf(told) : undefined;
      return productPage({ ...parts, ...told, problem, operation, preview });
    }
    if (told.operationId === 'getDealsPage' && problem.errors.length > 0) {
      const query = new URLSearchParams(told.query);
      return dealsPage({ ...parts, query, faults: problem.errors, counted: undefined, samples: [] });
    }
    const isPage = operation?.tags.includes('pages') ?? true;
    if (!isPage) return undefined;
    const main = html`<section class="hero"><h1>${problem.title}</h1></section>
<section class="offer" aria-label="What happened">${refusal({ ...told, problem }, false)}
<p><a href="/">To the overview</a></p></section>`;
    const { path } = told;
    return renderPage(parts.site, { path, title: problem.title, description: problem.title, main, style: 'shop.css' });
  };
}
