import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { NamedStatement, runNamed } from '../../db/sql/run-named.js';
import type { Ledger } from './ledger.js';
import { statements } from './ledger-statements.js';

export type Run = (statement: NamedStatement, values: readonly unknown[]) => ReturnType<typeof runNamed>;

/** The ids of all records in a body: its own, and those of their matches. */
const uuids = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

const decompress = promisify(brotliDecompress);

/** Reads the kept bodies, and empties those that show a record which was suppressed a day ago. */
export function createReplyBodies(run: Run) {
  const read: Ledger['readReplyBody'] = async (hash) => {
    const [row] = (await run(statements.readReplyBody, [Buffer.from(hash)])).rows;
    if (row === undefined) return undefined;
    if (row['body'] === null) return 'suppressed';
    const body = await decompress(row['body'] as Buffer);
    if (row['may_be_suppressed'] !== true || !(await showsSuppressed(body))) return body;
    await run(statements.emptyBody, [Buffer.from(hash)]);
    return 'suppressed';
  };

  async function showsSuppressed(body: Buffer): Promise<boolean> {
    const ids = [...new Set(body.toString('latin1').match(uuids))];
    return (await run(statements.findSuppressed, [ids])).rowCount > 0;
  }

  return {
    read,
    /** Returns how many bodies it has emptied. */
    async emptySuppressed(): Promise<number> {
      let count = 0;
      let last: Buffer = Buffer.alloc(0);
      for (;;) {
        const { rows } = await run(statements.listOldBodies, [last]);
        if (rows.length === 0) return count;
        for (const row of rows) {
          last = row['hash'] as Buffer;
          if ((await read(last)) === 'suppressed') count++;
        }
      }
    },
  };
}
