import type { DocumentInputs } from './document-inputs.js';

/** A linkset (RFC 9264): the links of each address, by relation. */
export interface ApiCatalog {
  linkset: CatalogEntry[];
}

export interface CatalogEntry {
  anchor: string;
  [relation: string]: CatalogLink[] | string;
}

export interface CatalogLink {
  href: string;
  type?: string;
  title?: string;
}

/** The catalog of this server's one service (RFC 9727), with its descriptions (RFC 8631). */
export function apiCatalog({ contract, publicBaseUrl }: DocumentInputs): ApiCatalog {
  const service = `${publicBaseUrl}/`;
  const link = (path: string, type: string, title: string): CatalogLink => ({
    href: publicBaseUrl + path,
    type,
    title,
  });
  return {
    linkset: [
      {
        anchor: `${publicBaseUrl}/.well-known/api-catalog`,
        item: [{ href: service, title: contract.document.info.title }],
      },
      {
        anchor: service,
        'service-desc': [
          link('/openapi.json', 'application/json', 'The contract, OpenAPI 3.1'),
          link('/openapi.plain.json', 'application/json', 'The contract for generators of clients, OpenAPI 3.1'),
          link('/openapi.plain-3.0.json', 'application/json', 'The contract for generators of clients, OpenAPI 3.0'),
          link('/openapi.yaml', 'application/yaml', 'The contract as it was written'),
        ],
        'service-doc': [
          link('/docs', 'text/html', 'API reference for people'),
          link('/llms.txt', 'text/plain', 'A short guide for language models'),
        ],
        'service-meta': [
          link('/.well-known/x402', 'application/json', 'What asks for payment, and for how much'),
          link('/api/meta', 'application/json', 'Prices, filters and samples'),
          link('/api/coverage', 'application/json', 'Which counties are read'),
        ],
        status: [link('/readyz', 'application/json', 'Can the server sell')],
      },
    ],
  };
}
