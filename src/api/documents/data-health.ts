import type { Log } from '../../log.js';
import { createOnceAMinute } from '../../operations/once-a-minute.js';
import { judgeSources, type SourceHealth } from '../../sources/judge-freshness.js';
import type { SourceStanding } from '../../sources/standings-reader.js';
import type { RatesAt } from '../../underwriting/mortgage-rates.js';
import { judgeUnderwriting, type UnderwritingHealth } from '../../underwriting/underwriting-health.js';

/** The freshness of the data, against the promised refresh times: sources daily, underwriting every two days. */
export interface DataHealth {
  readonly sources: SourceHealth;
  readonly underwriting: UnderwritingHealth;
}

export interface DataHealthPorts {
  readonly readStandings: () => Promise<readonly SourceStanding[]>;
  /** The time of the oldest published figures. */
  readonly readOldestUnderwriting: () => Promise<Date | undefined>;
  readonly ratesAt: RatesAt;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Creates the reader of the data's health, which queries the database at most once in each full minute. When a query
 * fails, it returns the last value; without one it rejects.
 */
export function createDataHealth(ports: DataHealthPorts): () => Promise<DataHealth> {
  let known: DataHealth | undefined;

  async function read(at: Date): Promise<DataHealth> {
    try {
      const [standings, oldestAt] = await Promise.all([ports.readStandings(), ports.readOldestUnderwriting()]);
      known = {
        sources: judgeSources(standings, at),
        underwriting: judgeUnderwriting(oldestAt, ports.ratesAt(at), at),
      };
    } catch (error) {
      if (known === undefined) throw error;
      ports.log.warn({ err: error }, 'data health read failed; serving last value');
    }
    return known;
  }

  return createOnceAMinute(read, ports.now);
}
