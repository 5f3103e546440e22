import type { Log } from '../log.js';
import { type Freshness, judgeFreshness } from './judge-freshness.js';
import { createOnceAMinute } from './once-a-minute.js';
import type { DeliveryKind } from './source.js';
import type { SourceStanding } from './standings-reader.js';

/** A configured source that is not as fresh as promised. */
export interface SourceBehind {
  readonly name: string;
  readonly delivers: DeliveryKind;
  readonly status: Exclude<Freshness, 'fresh'>;
  /** When it was last found in order; undefined before the first time. */
  readonly lastSuccessAt: Date | undefined;
}

/** How the sources stand, all together. */
export interface SourceHealth {
  readonly configured: number;
  /** By name. */
  readonly behind: readonly SourceBehind[];
}

export interface SourceHealthPorts {
  readonly readStandings: () => Promise<readonly SourceStanding[]>;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Creates what tells how the sources stand, read at most once in each full minute. While the database does not answer, it
 * tells what it knew before; it rejects where it has never known.
 */
export function createSourceHealth({ readStandings, now, log }: SourceHealthPorts): () => Promise<SourceHealth> {
  let known: SourceHealth | undefined;

  async function read(at: Date): Promise<SourceHealth> {
    try {
      known = healthOf(await readStandings(), at);
    } catch (error) {
      if (known === undefined) throw error;
      log.warn({ err: error }, 'how the sources stand could not be read; what was known of them is told on');
    }
    return known;
  }

  return createOnceAMinute(read, now);
}

function healthOf(standings: readonly SourceStanding[], at: Date): SourceHealth {
  const configured = standings.filter((source) => source.configured || source.refused);
  const behind = configured.flatMap((source) => {
    const status = judgeFreshness(source, at);
    const { name, delivers, lastSuccessAt } = source;
    return status === 'fresh' ? [] : [{ name, delivers, status, lastSuccessAt }];
  });
  return { configured: configured.length, behind };
}
