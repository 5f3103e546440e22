import type { Log } from '../log.js';
import { createOnceAMinute } from '../sources/ingest/once-a-minute.js';
import { judgeSources, type SourceHealth } from '../sources/judge-freshness.js';
import type { SourceStanding } from '../sources/standings-reader.js';
import { judgeUnderwriting, type UnderwritingHealth } from '../underwriting/underwriting-health.js';

/** How what is sold stands against what is promised: listings and county records daily, underwriting every two days. */
export interface DataHealth {
  readonly sources: SourceHealth;
  readonly underwriting: UnderwritingHealth;
}

export interface DataHealthPorts {
  readonly readStandings: () => Promise<readonly SourceStanding[]>;
  /** When the oldest figures on offer were made. */
  readonly readOldestUnderwriting: () => Promise<Date | undefined>;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Creates what tells how the data stands, read at most once in each full minute. While the database does not answer, it
 * tells what it knew before; it rejects where it has never known.
 */
export function createDataHealth(ports: DataHealthPorts): () => Promise<DataHealth> {
  let known: DataHealth | undefined;

  async function read(at: Date): Promise<DataHealth> {
    try {
      const [standings, oldestAt] = await Promise.all([ports.readStandings(), ports.readOldestUnderwriting()]);
      known = { sources: judgeSources(standings, at), underwriting: judgeUnderwriting(oldestAt, at) };
    } catch (error) {
      if (known === undefined) throw error;
      ports.log.warn({ err: error }, 'how the data stands could not be read; what was known of it is told on');
    }
    return known;
  }

  return createOnceAMinute(read, ports.now);
}
