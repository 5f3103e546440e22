import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import knexFactory from 'knex';
import pg from 'pg';

// With RECORD_STATEMENTS=<folder> a test run writes there each SQL text that the service has written by hand, once in
// each process, with the file that it comes from; `npm run check:sql` reads them. What knex writes itself is not among
// them. Loaded by mocha.

/** One SQL text of a file, as a statement or a part of one. */
export interface Recorded {
  /** Such as src/db/migrate.ts. */
  readonly file: string;
  readonly text: string;
}

const folder = process.env['RECORD_STATEMENTS'] ?? '';
const known = new Set<string>();

/** Frames of the caller, without helpers that run the statements of others. */
const callers = /\/dist\/(src|jobs|test)\/(?!src\/db\/sql\/)([\w/-]+)\.js:/;

function record(text: string): void {
  if (known.has(text)) return;
  known.add(text);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const frames = stack.split('\n').filter((line) => !line.includes('record-statements') && !line.includes('/db/sql/'));
  const [, root, path] = frames.map((line) => callers.exec(line)).find((match) => match !== null) ?? [];
  if (root === undefined || root === 'test') return;
  const recorded: Recorded = { file: `${root}/${path}.ts`, text };
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(recorded)}\n`);
}

/** With $1 in place of each value, and a name in place of each name. */
function withoutBindings(sql: string, bindings: unknown): string {
  if (bindings === undefined) return sql;
  if (typeof bindings === 'object' && bindings !== null && !Array.isArray(bindings))
    return Object.keys(bindings).reduce(
      (text, key) =>
        text
          .replace(new RegExp(`(?<!:):${key}:(?!:)`, 'g'), 'some_name')
          .replace(new RegExp(`(?<!:):${key}\\b(?!:(?!:))`, 'g'), '$$1'),
      sql,
    );
  return sql.replace(/(?<!\\)\?\?/g, 'some_name').replace(/(?<!\\)\?/g, '$$1');
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Hears what a method is called with. */
function listen(prototype: Record<string, Method>, name: string, hear: (args: readonly unknown[]) => void): void {
  const original = prototype[name];
  if (original === undefined) throw new Error(`There is no ${name} to listen to.`);
  prototype[name] = function (...args) {
    hear(args);
    return original.apply(this, args);
  };
}

if (folder !== '') {
  mkdirSync(folder, { recursive: true });
  const { client } = knexFactory({ client: 'pg' });
  let prototype = Object.getPrototypeOf(client) as Record<string, Method>;
  while (!Object.hasOwn(prototype, 'raw')) prototype = Object.getPrototypeOf(prototype) as Record<string, Method>;
  listen(prototype, 'raw', ([sql, bindings]) => {
    if (typeof sql === 'string') record(withoutBindings(sql, bindings));
  });
  // What is parsed once for a connection goes past knex.
  listen(pg.Client.prototype as unknown as Record<string, Method>, 'query', ([statement]) => {
    if (typeof statement !== 'object' || statement === null || !('name' in statement) || !('text' in statement)) return;
    if (typeof statement.text === 'string') record(statement.text);
  });
}
