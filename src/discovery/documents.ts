import type { DocumentInputs } from './document-inputs.js';
import { readDocsScript } from './docs-script.js';
import { llmsText } from './llms-text.js';
import { x402Discovery, type X402Document } from './x402-discovery.js';

/** Everything that describes the service, derived from the contract and this server's configuration. */
export interface Documents {
  readonly contractJson: ContractJson;
  readonly contractYaml: string;
  readonly llmsText: string;
  readonly x402Discovery: X402Document;
  readonly docsScript: string;
}

export interface ContractJson {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, unknown>;
  [key: string]: unknown;
}

/** Derives the documents once, at start. */
export function createDocuments(inputs: DocumentInputs): Documents {
  const { contract, publicBaseUrl, network } = inputs;
  const { document } = contract;
  return {
    contractJson: {
      ...document,
      info: { ...document.info },
      paths: { ...document.paths },
      servers: [{ url: publicBaseUrl, description: 'This server.' }],
    },
    contractYaml: contract.text,
    llmsText: llmsText(contract, publicBaseUrl, network),
    x402Discovery: x402Discovery(inputs),
    docsScript: readDocsScript(),
  };
}
