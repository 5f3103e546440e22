import * as z from 'zod/mini';
import { UsageError } from '../buyer-environment.js';
import { parseJson } from '../wire/base64-json.js';
import type { Row } from '../wire/records.js';
import type { HomeFiles } from './surroundings.js';

const fileName = 'last.json';
const text = z.nullish(z.string());
const lastList = z.object({
  server: z.string(),
  rows: z.array(z.object({ id: z.string(), address: text, city: text, state: text })),
});

/** The deals of the list that was shown last. */
export type LastList = z.infer<typeof lastList>;
type ListedDeal = LastList['rows'][number];

/** The last list; undefined where none was kept, or nothing that can be read. */
export async function readLastList(files: HomeFiles): Promise<LastList | undefined> {
  const kept = await files.read(fileName).catch(() => undefined);
  return kept === undefined ? undefined : z.safeParse(lastList, parseJson(kept)).data;
}

/** Keeps the shown deals, so that their numbers name them. A list that cannot be kept is none. */
export async function keepLastList(files: HomeFiles, server: string, rows: readonly Row[]): Promise<void> {
  const shown = z.safeParse(lastList, { server, rows });
  if (shown.success) await files.write(fileName, JSON.stringify(shown.data)).catch(() => undefined);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const firstDigits = /^[0-9a-f-]{6,35}$/i;

/**
 * The id that a person means: an id itself; or of the last list a row's number, the first six or more digits of an
 * id, or an address. Nothing is asked of the server.
 *
 * @throws UsageError where the list has none or several of them, or is of another server
 */
export function findListedDeal(named: string, list: LastList | undefined, server: string): ListedDeal {
  const written = named.trim();
  if (uuid.test(written)) return { id: written };
  if (list === undefined) throw new UsageError(`No list was shown yet. ${whichOne}`);
  if (list.server !== server)
    throw new UsageError(`The last list is of ${list.server}, and BASE_URL is ${server}. ${whichOne}`);
  const { rows } = list;
  if (/^\d{1,5}$/.test(written)) {
    const row = rows[Number(written) - 1];
    if (row === undefined)
      throw new UsageError(`The last list has ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`);
    return row;
  }
  const [found, ...others] = rows.filter(
    firstDigits.test(written)
      ? ({ id }) => id.startsWith(written.toLowerCase())
      : (row) => wordsOf(describeDeal(row)).startsWith(wordsOf(written)),
  );
  if (found === undefined) throw new UsageError(`The last list has no deal "${written}". ${whichOne}`);
  if (others.length === 0) return found;
  const candidates = [found, ...others].slice(0, 10).map((row) => `  ${rows.indexOf(row) + 1}  ${describeDeal(row)}`);
  throw new UsageError([`"${written}" may be ${others.length + 1} deals of the last list:`, ...candidates].join('\n'));
}

/** What a deal is called for. */
export const whichOne = 'Which one? report 3 of the last list, or an id from: deals-feed ids';

export function describeDeal({ address, city, state }: ListedDeal): string {
  return [address, city, state].filter((part) => part).join(', ');
}

function wordsOf(address: string): string {
  return address
    .toLowerCase()
    .replaceAll(/[^a-z0-9/]+/g, ' ')
    .trim();
}
