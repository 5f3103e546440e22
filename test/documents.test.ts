import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { runVerb } from '../src/operator/cli/run-verb.js';
import { helpTopics } from '../src/client/cli/verbs.js';
import { findProjectFile } from '../src/project-file.js';

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'src/README.md'],
  ...readdirSync(findProjectFile('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (name: string): string => readFileSync(findProjectFile(name), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** As the host of the repository makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe('the documents', () => {
  it('take five minutes at first: README.md has 150 lines at most', () => {
    assert.ok(read('README.md').split('\n').length <= 150);
  });

  for (const name of documents) {
    const text = read(name);

    it(`${name}: every link within the project leads somewhere`, () => {
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? name : join(dirname(name), path);
        assert.ok(existsSync(findProjectFile(file)), target);
        if (anchor !== undefined) assert.ok(anchorsIn(read(file)).includes(anchor), target);
      }
    });

    it(`${name}: every command in it is there`, async () => {
      for (const [, script = ''] of text.matchAll(/\bnpm run (?:--silent )?([\w:-]*\w)/g))
        assert.ok(scripts[script], script);
      for (const [, verb = ''] of text.matchAll(/(?:^|`)(?:deals-feed|npm run buy --) ([a-z][a-z-]*)/gm))
        assert.ok(helpTopics.includes(verb) || verb === 'help', verb);
      const help = await operatorsHelp();
      for (const [, verb = ''] of text.matchAll(/npm run cli -- ([a-z]+)/g))
        assert.match(help, new RegExp(`\\b${verb}\\b`));
      for (const [path] of text.matchAll(
        /(?<![\w./])(?:src|test|jobs|docs|examples|\.ci)\/[\w./-]+\.(?:ts|js|sh|md|json)\b/g,
      ))
        assert.ok(existsSync(findProjectFile(path)), path);
    });
  }
});

describe('the tour of the code', () => {
  it('names files that are there', () => {
    const files = ['src', 'jobs', 'test', 'generated'].flatMap((folder) =>
      readdirSync(findProjectFile(folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}/`),
    );
    for (const [, name = ''] of read('src/README.md').matchAll(/`([\w/-]+(?:\.ts|\/))`/g))
      assert.ok(
        files.some((file) => `${file}/`.includes(`/${name.replace(/\/$/, '')}/`)),
        name,
      );
  });
});

describe('the decisions that the code cites', () => {
  it('are pages of docs/decisions, and each page is cited', () => {
    const code = ['src', 'jobs'].flatMap((folder) =>
      readdirSync(findProjectFile(folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => read(join(folder, name))),
    );
    const cited = new Set(
      code.flatMap((text) => [...text.matchAll(/docs\/decisions\/[\w-]+\.md/g)].map(([page]) => page)),
    );
    const pages = documents.filter((name) => name.startsWith('docs/decisions/'));
    assert.deepEqual([...cited].sort(), pages.sort());
  });
});

async function operatorsHelp(): Promise<string> {
  let help = '';
  const out = new Writable({ write: (chunk, _encoding, done) => ((help += String(chunk)), done()) });
  await runVerb(['help'], {
    out,
    notes: out,
    now: () => new Date(),
    confirm: undefined,
    diagnose: () => assert.fail(),
    openOperatorCommands: () => assert.fail(),
    move: () => assert.fail(),
    migrate: () => assert.fail(),
    readListeningPlace: () => assert.fail(),
  });
  return help;
}
