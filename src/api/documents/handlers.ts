import type { Documents } from '../../pages/discovery/documents.js';
import { renderStored, wholeBytes } from '../../contract/rendered.js';
import type { Handlers } from '../handler.js';
import { createCountChanges, type ChangesPorts } from './count-changes.js';
import { createGetMeta, type MetaPorts } from './get-meta.js';
import { createGetReadiness, type ReadReadiness } from './get-readiness.js';
import { createListSources, type SourcesPorts } from './list-sources.js';

export interface DocumentPorts extends ChangesPorts {
  readonly documents: Documents;
  readonly meta: MetaPorts;
  readonly sources: SourcesPorts;
  readonly readReadiness: ReadReadiness;
}

/** The free operations on the service itself, and the documents derived from the contract. */
export function createDocumentHandlers(ports: DocumentPorts) {
  const { documents, now } = ports;
  const contractYaml = renderStored<unknown>(wholeBytes(Buffer.from(documents.contractYaml)));
  return {
    getMeta: createGetMeta(ports.meta),
    listSources: createListSources(ports.sources),
    countChanges: createCountChanges(ports),
    getHealth: () => ({ status: 200, body: { status: 'alive' } }),
    getReadiness: createGetReadiness(ports.readReadiness),
    getContractJson: () => ({ status: 200, body: documents.contractJson }),
    getPlainContract: () => ({ status: 200, body: documents.plainJson() }),
    getPlainContract30: () => ({ status: 200, body: documents.plainJson30() }),
    // A file has no schema to hold it against.
    getContractYaml: () => ({ status: 200, body: contractYaml, mediaType: 'application/yaml' }),
    getLlmsText: () => ({ status: 200, body: documents.llmsText, mediaType: 'text/plain' }),
    getX402Discovery: () => ({ status: 200, body: documents.x402Discovery }),
    getApiCatalog: () => ({ status: 200, body: documents.apiCatalog, mediaType: 'application/linkset+json' }),
    getSecurityText: () => ({ status: 200, body: documents.securityText(now()), mediaType: 'text/plain' }),
    getFavicon: () => ({ status: 200, body: documents.favicon, mediaType: 'image/svg+xml' }),
    getSkill: () => ({ status: 200, body: documents.skill, mediaType: 'text/markdown' }),
  } satisfies Partial<Handlers>;
}
