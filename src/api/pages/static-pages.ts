import { ServiceError } from '../../errors.js';
import { docsPage } from '../../pages/docs/docs-page.js';
import { errorGuide } from '../../pages/errors/error-guide.js';
import { findAsset } from '../../pages/page-assets.js';
import type { HomeInputs } from '../../pages/home/home-page.js';
import { reportViewer } from '../../pages/report/report-viewer.js';
import type { Handlers } from '../handler.js';

export type PageInputs = Pick<HomeInputs, 'site' | 'contract' | 'terms'>;

/** The pages that change only with a restart, and their assets. */
export function createPageHandlers({
  site,
  contract,
  terms,
}: PageInputs): Pick<Handlers, 'getDocs' | 'getReportViewer' | 'getErrorGuide' | 'getPageAsset'> {
  const docs = docsPage(site, contract, terms);
  const viewer = reportViewer(site);
  const guide = errorGuide(site);
  return {
    getDocs: () => ({ status: 200, body: docs, mediaType: 'text/html' }),
    getReportViewer: () => ({ status: 200, body: viewer, mediaType: 'text/html' }),
    getErrorGuide: () => ({ status: 200, body: guide, mediaType: 'text/html' }),
    getPageAsset: ({ path }) => {
      const asset = findAsset(path.asset);
      const isShown = terms.isLocal || !path.asset.startsWith('demo-wallet');
      if (asset === undefined || !isShown) throw new ServiceError('not_found', 'The pages have no asset of this name.');
      // The viewer's service worker is among the assets, so it needs permission for the scope /report.
      const scope = path.asset === 'report-worker.js' ? { 'Service-Worker-Allowed': '/report' } : undefined;
      const caching = asset.isExact ? { 'Cache-Control': 'public, max-age=31536000, immutable' } : undefined;
      return { status: 200, body: asset.text, mediaType: asset.mediaType, headers: { ...scope, ...caching } };
    },
  };
}
