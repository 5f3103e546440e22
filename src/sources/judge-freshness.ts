import type { SourceStanding } from './standings-reader.js';
import { type DeliveryKind, isLicenceInForce } from './source.js';

export const freshnesses = ['fresh', 'late', 'failed'] as const;
export type Freshness = (typeof freshnesses)[number];

const hourMs = 3_600_000;
/** A night's run takes its time, and not the same each night. */
const toleranceMs = 2 * hourMs;

/** How often a source is read, in hours. Source: the specification's daily refresh; HUD's rents change once a year. */
export function promisedEveryHours(delivers: DeliveryKind): number {
  return delivers === 'rents' ? 7 * 24 : 24;
}

/** How a source stands against that promise. A run that is under way changes nothing yet. Pure. */
export function judgeFreshness(
  { delivers, lastSuccessAt, lastProblem, licence }: SourceStanding,
  now: Date,
): Freshness {
  if (!isLicenceInForce(licence, now)) return 'failed';
  if (lastProblem !== undefined && !(lastSuccessAt !== undefined && lastSuccessAt >= lastProblem.at)) return 'failed';
  if (lastSuccessAt === undefined) return 'late';
  return isAsPromised(delivers, lastSuccessAt, now) ? 'fresh' : 'late';
}

/** Whether what was read at a moment is as recent as promised. */
export function isAsPromised(delivers: DeliveryKind, readAt: Date, now: Date): boolean {
  return now.getTime() - readAt.getTime() <= promisedEveryHours(delivers) * hourMs + toleranceMs;
}

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
