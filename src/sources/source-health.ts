import { type Freshness, judgeFreshness } from './judge-freshness.js';
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

/** How they stand at a moment. Pure. */
export function judgeSources(standings: readonly SourceStanding[], at: Date): SourceHealth {
  const configured = standings.filter((source) => !source.removed);
  const behind = configured.flatMap((source) => {
    const status = judgeFreshness(source, at);
    const { name, delivers, lastSuccessAt } = source;
    return status === 'fresh' ? [] : [{ name, delivers, status, lastSuccessAt }];
  });
  return { configured: configured.length, behind };
}
