import { readFileSync } from 'node:fs';
import { findProjectFile } from '../../project-file.js';
import { plainDocument, plainDocument30 } from '../../contract/plain-document.js';
import type { DocumentInputs } from './document-inputs.js';
import { apiCatalog } from './api-catalog.js';
import { llmsText } from './llms-text.js';
import { securityText } from './security-text.js';
import { x402Discovery } from './x402-discovery.js';

/** Every description of the service, derived from the contract and this server's configuration. */
export type Documents = ReturnType<typeof createDocuments>;

/** Derives the documents at start, and the plain ones when they are first asked for. */
export function createDocuments(inputs: DocumentInputs) {
  const { contract, publicBaseUrl, network } = inputs;
  const { document } = contract;
  const contact = { ...document.info.contact, ...(inputs.contactUrl !== undefined && { url: inputs.contactUrl }) };
  const ofThisServer = <Document extends object>(of: Document & { readonly info: object }) => ({
    ...of,
    info: { ...of.info, contact },
    servers: [{ url: publicBaseUrl, description: 'This server.' }],
  });
  const plain = createOnce(() => plainDocument(document));
  return {
    contractJson: { ...ofThisServer(document), paths: { ...document.paths } },
    plainJson: createOnce(() => ofThisServer(plain())),
    plainJson30: createOnce(() => ofThisServer(plainDocument30(plain()))),
    contractYaml: contract.text,
    llmsText: llmsText(contract, publicBaseUrl, network),
    x402Discovery: x402Discovery(inputs),
    apiCatalog: apiCatalog(inputs),
    /** Built per day, because it contains its expiry date. */
    securityText: (now: Date) => securityText(contact.url, publicBaseUrl, now),
    favicon,
    skill: readFileSync(findProjectFile('skills/multifamily-deals/SKILL.md'), 'utf8'),
  };
}

function createOnce<Value extends object>(create: () => Value): () => Value {
  let created: Value | undefined;
  return () => (created ??= create());
}

/** The icon of the service: a house. */
export const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#176b52" fill-rule="evenodd" d="M2 7l6-5 6 5v7H2zM6 10h4v4H6z"/></svg>\n';
