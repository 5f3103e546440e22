import assert from 'node:assert/strict';
import ts from 'typescript';
import { findProjectFile } from '../../src/project-file.js';
import { camelCase, operationNames } from '../../src/wire/operation-names.js';

const program = findProjectFile('test/client/editor-program.ts');
const names = Object.values(operationNames).map((name) => camelCase(name));
const sold = ['deals', 'hotDeals', 'basicDeals', 'signals', 'auctions', 'leads', 'events'];

describe('an editor', () => {
  let service: ts.LanguageService;
  const calls = [...names, ...sold.map((name) => `${name}.all`)].map((name) => `client.${name}(null as never);`);
  const text = [
    "import type { DealsClient } from '../../src/client/entry.js';",
    'declare const client: DealsClient;',
    ...calls,
    'client.',
  ].join('\n');

  before(() => {
    const folder = findProjectFile('tsconfig');
    const { config } = ts.readConfigFile(`${folder}/client.json`, (path) => ts.sys.readFile(path)) as {
      config: object;
    };
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, folder);
    service = ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, types: [] }),
      getScriptFileNames: () => [program],
      getScriptVersion: () => '1',
      getScriptSnapshot: (path) => {
        const content = path === program ? text : ts.sys.readFile(path);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      fileExists: (path) => path === program || ts.sys.fileExists(path),
      readFile: (path) => ts.sys.readFile(path),
      readDirectory: (...parts) => ts.sys.readDirectory(...parts),
      directoryExists: (path) => ts.sys.directoryExists(path),
      getDirectories: (path) => ts.sys.getDirectories(path),
    });
  });

  /** What it shows over the last name of a call. */
  function quickInfo(call: string): { readonly summary: string; readonly tags: ReadonlyMap<string, string> } {
    const at = text.indexOf(call) + call.indexOf('(') - 1;
    const { documentation, tags = [] } = service.getQuickInfoAtPosition(program, at) ?? {};
    const texts = new Map<string, string>();
    for (const { name, text: parts } of tags)
      texts.set(name, `${texts.get(name) ?? ''}${ts.displayPartsToString([...(parts ?? [])])}\n`);
    return { summary: ts.displayPartsToString([...(documentation ?? [])]), tags: texts };
  }

  it('shows summary, price, example, errors and reference of each method and of each reader', () => {
    for (const call of calls) {
      const { summary, tags } = quickInfo(call);
      assert.match(summary, /^[A-Z].*(Free|\$\d\.\d\d a call)\./, call);
      for (const tag of ['example', 'throws', 'see']) assert.ok(tags.get(tag)?.trim(), `${tag} of ${call}`);
      assert.match(tags.get('throws') ?? '', /UnavailableError .*server_unreachable/, call);
    }
  });

  it('shows the parameters, and the errors of the client by their names', () => {
    for (const call of ['client.deals(null as never);', 'client.deals.all(null as never);']) {
      const { tags } = quickInfo(call);
      assert.match(tags.get('param') ?? '', /min_cap/);
      assert.match(tags.get('throws') ?? '', /NotApprovedError .*price_above_limit, budget_exceeded, not_approved/);
      assert.match(tags.get('throws') ?? '', /OutcomeUnknownError .*settlement_unknown/);
    }
  });

  it('completes a client to its methods and to nothing else', () => {
    const found = service.getCompletionsAtPosition(program, text.length, {})?.entries.map(({ name }) => name) ?? [];
    assert.deepEqual(found.sort(), [...names, 'price', 'spending'].sort());
  });
});
