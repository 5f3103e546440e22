import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectFile } from '../src/project-file.js';

/** What another word of the glossary says, and where it means something else. */
const banned: readonly { readonly word: RegExp; readonly say: string; readonly allowed?: RegExp }[] = [
  { word: /\bstand-?ins?\b/i, say: 'mock server' },
  { word: /\b(?:payment )?tickets?\b/i, say: 'verified payment' },
  { word: /\bwitness(?:es)?\b/i, say: 'invariant checker' },
  { word: /\bstandbys?\b/i, say: 'duplicate listing' },
  { word: /\bshel(?:f|ves)\b/i, say: 'sink, or lead holds' },
  { word: /dossiers?/i, say: 'report inputs' },
  { word: /feed-?(?:work|lines?)\b/i, say: 'pipeline, or feed publisher' },
  { word: /\b(?:\w+-)?desks?\b|\w+Desk\b/, say: 'payment status, or control socket', allowed: /phone|width/ },
  { word: /withh[eo]ld/i, say: 'suppressed, or not shown' },
  { word: /tak(?:e|es|en|ing)[ -]?back\b|took back/i, say: 'taken down, or retired' },
  // It is a status of a sale.
  { word: /withdr[ae]w/i, say: 'taken down', allowed: /['"`[\s]withdrawn['"`:,.\s]|Withdrawn|\[ae\]w/ },
  { word: /conceal/i, say: 'not shown' },
  {
    word: /\bhidden\b/i,
    say: 'not shown',
    allowed: /\[hidden\]|hidden>|\.hidden|-hidden|hidden-|: hidden|hidden (?:upside|parts)/,
  },
  { word: /setAside/, say: 'held' },
  // It is what a buyer's journal does with money.
  {
    word: /\bset(?:s|ting)? aside\b/i,
    say: 'held',
    allowed: /amount|price|money|paid|payment|signed|charged|budget|spent|journal/,
  },
  { word: /\bdoors?\b|\w+Door\b|\bknock/, say: 'control socket', allowed: /next door|units: 'doors'/ },
];
const folders = ['src', 'jobs', 'test', 'docs', 'examples', '.ci'];
const files = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'openapi.yaml'],
  ...folders.flatMap((folder) =>
    readdirSync(findProjectFile(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|js|md|yaml|txt)$/.test(name) && !name.endsWith('words.test.ts'))
      .map((name) => join(folder, name)),
  ),
];

describe('the words', () => {
  for (const { word, say, allowed } of banned)
    it(`say "${say}" everywhere, and never ${word.source}`, () => {
      const found = files.flatMap((file) =>
        readFileSync(findProjectFile(file), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            word.test(line) && allowed?.test(line) !== true ? `${file}:${index + 1} ${line.trim()}` : [],
          ),
      );
      assert.deepEqual(found, []);
    });

  it('stand in comments of 120 columns at most', () => {
    const long = files
      .filter((file) => /\.(ts|js)$/.test(file))
      .flatMap((file) =>
        readFileSync(findProjectFile(file), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            line.length > 120 && /^\s*(\/\*|\*|\/\/)/.test(line) ? `${file}:${index + 1}` : [],
          ),
      );
    assert.deepEqual(long, []);
  });

  it('are 60 at most, each with one meaning', () => {
    const words = [...readFileSync(findProjectFile('src/GLOSSARY.md'), 'utf8').matchAll(/^\| ([a-z][^|]*) \|/gm)].map(
      ([, word]) => word,
    );
    assert.ok(words.length <= 60, String(words.length));
    assert.equal(new Set(words).size, words.length);
  });
});
