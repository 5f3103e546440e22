import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProjectFile } from '../../project-file.js';

/** The browser script that renders the API reference, from the installed development packages. */
const installed = () => findProjectFile('node_modules/@scalar/api-reference/dist/browser/standalone.js');
/** The copy of the script made by the build, so that a server needs no development packages. */
const built = () => findProjectFile('dist/assets/reference.js');

/** Copies the script next to the compiled server. */
export function copyDocsScript(): void {
  mkdirSync(dirname(built()), { recursive: true });
  copyFileSync(installed(), built());
}

/** The script of the reference page, followed by its start. It loads only the contract and metadata of this server. */
export function readDocsScript(): string {
  return (script ??= `${readFileSync(existsSync(built()) ? built() : installed(), 'utf8')}\n${start}`);
}

let script: string | undefined;

/** Replaces example ids by ones in the current feed, so that readers can run the examples unchanged. */
const start = `Promise.all(
  ['/openapi.json', '/api/meta'].map((path) => fetch(path).then((reply) => reply.json())),
).then(([content, { example_report: example }]) => {
  const { DealIdInPath, Address } = content.components.parameters;
  if (example?.url) {
    DealIdInPath.example = example.url.split('/').at(-2);
    Address.example = example.property;
  }
  Scalar.createApiReference('#reference', {
    content,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
});
`;
