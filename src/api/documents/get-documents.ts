import type { Documents } from '../../pages/discovery/documents.js';
import type { Handlers } from '../handler.js';

/** The operations that hand out documents derived from the contract. */
export function createDocumentHandlers(
  documents: Documents,
  now: () => Date,
): Pick<
  Handlers,
  | 'getContractJson'
  | 'getContractYaml'
  | 'getLlmsText'
  | 'getX402Discovery'
  | 'getApiCatalog'
  | 'getSecurityText'
  | 'getFavicon'
  | 'getDocsScript'
> {
  return {
    getContractJson: () => ({ status: 200, body: documents.contractJson }),
    getContractYaml: () => ({ status: 200, body: documents.contractYaml, mediaType: 'application/yaml' }),
    getLlmsText: () => ({ status: 200, body: documents.llmsText, mediaType: 'text/plain' }),
    getX402Discovery: () => ({ status: 200, body: documents.x402Discovery }),
    getApiCatalog: () => ({ status: 200, body: documents.apiCatalog, mediaType: 'application/linkset+json' }),
    getSecurityText: () => ({ status: 200, body: documents.securityText(now()), mediaType: 'text/plain' }),
    getFavicon: () => ({ status: 200, body: documents.favicon, mediaType: 'image/svg+xml' }),
    getDocsScript: () => ({ status: 200, body: documents.docsScript, mediaType: 'application/javascript' }),
  };
}
