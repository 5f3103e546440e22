import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProjectFile } from '../../src/project-file.js';

// `npm run measures`: how large and how high the house is, with its goals. Fails where a goal that was reached is
// broken.

interface Measure {
  readonly name: string;
  readonly value: number;
  /** The most that it should be. */
  readonly goal: number;
  /** What it is made of, where the goal is not met. */
  readonly places?: readonly string[];
}

/** Goals that hold, and must go on holding. Add a name when its goal is reached. */
const reached: ReadonlySet<string> = new Set([
  'rooms',
  'largest file',
  'median file',
  'comment lines over 120 columns',
  'floors',
  'files in the largest folder',
  'openapi.yaml lines',
  'comment sentences over 35 words',
  'files directly in src/',
  'files that import more than 20 others',
]);

const paths = ['src', 'jobs'].flatMap((folder) =>
  readdirSync(findProjectFile(folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const files = paths.filter((path) => path.endsWith('.ts')).map((path) => ({ path, text: readText(path) }));
const lengths = files.map(({ text }) => countLines(text)).sort((one, other) => one - other);
const importsOf = new Map(files.map(({ path, text }) => [path, findImports(path, text)]));
const folders = countBy(files.map(({ path }) => dirname(path)));
const [largestFolder = '', filesInIt = 0] = [...folders].sort(([, one], [, other]) => other - one)[0] ?? [];
const heavyImporters = files.flatMap(({ path, text }) => {
  const count = new Set([...text.matchAll(/\bfrom '([^']+)'/g)].map(([, from]) => from)).size;
  return count > 20 ? [`${path} ${count}`] : [];
});
const longLines = files.flatMap(({ path, text }) => findLongCommentLines(path, text));
const longSentences = files.flatMap(({ path, text }) => findLongSentences(path, text));
const highest = findLongestChain();

const measures: readonly Measure[] = [
  { name: 'TypeScript lines in src/ and jobs/', value: lengths.reduce((sum, each) => sum + each, 0), goal: 48_600 },
  {
    name: 'rooms',
    value: new Set(files.map(({ path }) => roomOf(path)).filter((room) => !room.endsWith('.ts'))).size,
    goal: 26,
  },
  { name: 'floors', value: highest.length, goal: 13, places: [highest.join(' > ')] },
  { name: 'files directly in src/', value: folders.get('src') ?? 0, goal: 8 },
  { name: 'files in the largest folder', value: filesInIt, goal: 25, places: [largestFolder] },
  { name: 'files that import more than 20 others', value: heavyImporters.length, goal: 1, places: heavyImporters },
  { name: 'openapi.yaml lines', value: countLines(readText('openapi.yaml')), goal: 5_400 },
  { name: 'comment sentences over 35 words', value: longSentences.length, goal: 0, places: longSentences },
  { name: 'comment lines over 120 columns', value: longLines.length, goal: 0, places: longLines },
  { name: 'median file', value: lengths[Math.floor(lengths.length / 2)] ?? 0, goal: 80 },
  { name: 'largest file', value: lengths.at(-1) ?? 0, goal: 300 },
];

let broken = 0;
for (const { name, value, goal, places = [] } of measures) {
  const isMet = value <= goal;
  const verdict = isMet ? '' : reached.has(name) ? 'BROKEN' : 'to do';
  if (verdict === 'BROKEN') broken += 1;
  process.stdout.write(
    `${name.padEnd(38)} ${String(value).padStart(6)}  goal ${String(goal).padStart(6)}  ${verdict}\n`,
  );
  if (!isMet) for (const place of places.slice(0, 10)) process.stdout.write(`    ${place}\n`);
}
process.exit(broken === 0 ? 0 : 1);

function readText(path: string): string {
  return readFileSync(findProjectFile(path), 'utf8');
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The folder directly in src/, `jobs`, or for a file directly in src/ the file itself. */
function roomOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? second : top;
}

function findImports(path: string, text: string): readonly string[] {
  return [...text.matchAll(/\bfrom '(\.[^']+)\.js'/g)].map(([, from]) => `${join(dirname(path), from ?? '')}.ts`);
}

/** The longest chain of imports. A floor is a room, or a file directly in src/; no room is entered twice. */
function findLongestChain(): readonly string[] {
  const roomsBelow = new Map<string, Set<string>>();
  for (const [path, imports] of importsOf) {
    const room = roomOf(path);
    const others = imports.filter((each) => importsOf.has(each)).map(roomOf);
    roomsBelow.set(room, new Set([...(roomsBelow.get(room) ?? []), ...others.filter((other) => other !== room)]));
  }
  const known = new Map<string, readonly string[]>();
  function chainFrom(room: string, above: readonly string[]): readonly string[] {
    const seen = known.get(room);
    if (seen !== undefined) return seen;
    const chains = [...(roomsBelow.get(room) ?? [])]
      .filter((other) => !above.includes(other))
      .map((other) => chainFrom(other, [...above, room]));
    const chain = [room, ...(chains.sort((one, other) => other.length - one.length)[0] ?? [])];
    known.set(room, chain);
    return chain;
  }
  return (
    [...roomsBelow.keys()].map((room) => chainFrom(room, [])).sort((one, other) => other.length - one.length)[0] ?? []
  );
}

function findLongCommentLines(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (line.length > 120 && /^\s*(\/\*|\*|\/\/)/.test(line) ? [`${path}:${index + 1}`] : []));
}

/** Sentences of docstrings and of comments that stand on lines of their own. */
function findLongSentences(path: string, text: string): string[] {
  const comments = text.match(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [];
  return comments.flatMap((comment) =>
    comment
      .replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/)/gm, '')
      .replace(/\*\/$/, '')
      .split(/[.:;?!](?:\s|$)|\n\s*\n|\n\s*(?:-|@)/)
      .filter((sentence) => sentence.trim().split(/\s+/).length > 35)
      .map((sentence) => `${path}: ${sentence.trim().slice(0, 60)}`),
  );
}
