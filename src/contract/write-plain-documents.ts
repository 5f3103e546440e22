import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from './load-contract.js';
import { plainDocument, plainDocument30 } from './plain-document.js';

// The last step of `npm run codegen`: writes the contracts for generators of clients into the folder that it is given.
const [, , directory = 'generated'] = process.argv;
const plain = plainDocument(loadContract().document);
const documents = { 'openapi.plain.json': plain, 'openapi.plain-3.0.json': plainDocument30(plain) };
for (const [name, document] of Object.entries(documents))
  writeFileSync(join(directory, name), `${JSON.stringify(document, null, 1)}\n`);
