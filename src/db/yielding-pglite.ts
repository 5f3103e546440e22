import { setImmediate as nextTurn } from 'node:timers/promises';
import { PGlite, type ExecProtocolOptions } from '@electric-sql/pglite';

/** First bytes of the two protocol messages that end a statement: Query and Sync. */
const statementEnds: ReadonlySet<number | undefined> = new Set([0x51, 0x53]);

/**
 * The embedded database, yielding to the event loop. It runs on this thread and answers within the same turn of the
 * loop, so successive statements would block timers and sockets until the last one. Here each statement ends with a
 * turn of the loop.
 */
export class YieldingPglite extends PGlite {
  override async execProtocolStream(
    message: Uint8Array,
    options?: ExecProtocolOptions,
  ): ReturnType<PGlite['execProtocolStream']> {
    const answer = await super.execProtocolStream(message, options);
    if (statementEnds.has(message[0])) await nextTurn();
    return answer;
  }
}
