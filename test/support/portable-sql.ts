import { parse } from 'libpg-query';

// What engines that only speak PostgreSQL's protocol do not have, or do otherwise, by their documentation.

/** The kinds of nodes of a parsed statement that are refused, with what they are called. */
const refusedNodes: Readonly<Record<string, string>> = {
  LockStmt: 'LOCK TABLE',
  CreateFunctionStmt: 'a function',
  DoStmt: 'DO',
  CreateTrigStmt: 'a trigger',
  ListenStmt: 'LISTEN',
  NotifyStmt: 'NOTIFY',
  PrepareStmt: 'PREPARE',
};
const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

type Node = Readonly<Record<string, unknown>>;

/** What stands in the text of a statement, or of a part of one, that is not portable. */
export async function findUnportable(text: string): Promise<readonly string[]> {
  const found = new Set<string>();
  visit(await parseSomehow(text), found);
  return [...found];
}

/** What is a part of a statement is parsed in its place. */
async function parseSomehow(text: string): Promise<unknown> {
  const places = [text, `select ${text}`, `select 1 where ${text}`, `select 1 ${text}`, `select 1 from t ${text}`];
  for (const each of places) {
    const parsed = await parse(each).catch(() => undefined);
    if (parsed !== undefined) return parsed;
  }
  throw new Error('it cannot be parsed');
}

function visit(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [kind, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) judge(kind, inner as Node, found);
    // What a function sets is its own.
    if (kind !== 'CreateFunctionStmt') visit(inner, found);
  }
}

function judge(kind: string, node: Node, found: Set<string>): void {
  const refused = refusedNodes[kind];
  if (refused !== undefined) found.add(refused);
  if (kind === 'FuncCall' && /^pg_(try_)?advisory_/.test(lastName(node['funcname']))) found.add('an advisory lock');
  if (kind === 'ColumnRef' && systemColumns.has(lastName(node['fields']))) found.add('a system column');
  if (node['relpersistence'] === 't') found.add('a temporary table');
  if (kind === 'VariableSetStmt' && node['is_local'] !== true) found.add('SET of a session');
  if (kind === 'CreateStmt' && !JSON.stringify(node['tableElts'] ?? []).includes('CONSTR_PRIMARY'))
    found.add('a table without a primary key');
  if (kind === 'TypeCast' && lastName((node['typeName'] as Node)['names']) === 'date' && !isDay(node['arg'] as Node))
    found.add('a cast to a date without a zone');
}

/** A value that is given, or the local time of a moment. */
function isDay(argument: Node): boolean {
  const call = argument['FuncCall'] as Node | undefined;
  return 'A_Const' in argument || 'ParamRef' in argument || lastName(call?.['funcname']) === 'timezone';
}

function lastName(names: unknown): string {
  const last = Array.isArray(names) ? (names.at(-1) as { readonly String?: { readonly sval?: string } }) : undefined;
  return last?.String?.sval ?? '';
}
