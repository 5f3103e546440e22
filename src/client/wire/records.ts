/** A JSON object of a reply. */
export type Row = Readonly<Record<string, unknown>>;

/** The records of a reply: a bare array, or the only array of records in an envelope. */
export interface Records {
  /** The envelope's member with them; undefined for a bare array. */
  readonly member: string | undefined;
  readonly rows: readonly Row[];
}

/** Finds the records in a reply's body; undefined when it is a single object. */
export function findRecords(body: unknown): Records | undefined {
  if (isRowList(body)) return { member: undefined, rows: body };
  if (!isRow(body)) return undefined;
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value));
  const [member, rows] = lists[0] ?? [];
  return lists.length === 1 && member !== undefined && isRowList(rows) ? { member, rows } : undefined;
}

/** Joins several pages into one body: all records, in the envelope of the last page. */
export function joinPages(bodies: readonly unknown[]): unknown {
  const last = bodies.at(-1);
  const member = findRecords(last)?.member;
  const rows = bodies.flatMap((body) => findRecords(body)?.rows ?? []);
  return member === undefined || !isRow(last) ? rows : { ...last, [member]: rows };
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRowList(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRow);
}
