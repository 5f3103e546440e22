import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProjectFile } from '../../project-file.js';

/** The browser program that draws the API reference, where the packages are installed. */
const installed = () => findProjectFile('node_modules/@scalar/api-reference/dist/browser/standalone.js');
/** Its copy that a build leaves, so that a server runs without the development packages. */
const built = () => findProjectFile('dist/assets/reference.js');

/** Copies the program beside the compiled server. */
export function copyDocsScript(): void {
  mkdirSync(dirname(built()), { recursive: true });
  copyFileSync(installed(), built());
}

/** The script of the reference page: the program, and its start. It sends nothing anywhere and loads nothing else. */
export function readDocsScript(): string {
  const program = readFileSync(existsSync(built()) ? built() : installed(), 'utf8');
  return `${program}\n${start}`;
}

/** The examples of what must name something are of what the feed holds now, so that they can be tried as they stand. */
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
