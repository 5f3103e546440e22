const hourMs = 3_600_000;
/** The run that makes figures anew takes its time. */
const toleranceMs = 2 * hourMs;

/**
 * How old the figures of an offered listing may be, in hours. Source: the specification, "underwriting every 2 days".
 */
export const underwrittenEveryHours = 48;

/** How the underwriting stands against that promise. */
export interface UnderwritingHealth {
  readonly status: 'fresh' | 'late';
  /** When the oldest figures of a listing on offer were made; undefined while none are on offer. */
  readonly oldestAt: Date | undefined;
}

/** How it stands at a moment. Where nothing is on offer, nothing is late. Pure. */
export function judgeUnderwriting(oldestAt: Date | undefined, at: Date): UnderwritingHealth {
  const ageMs = oldestAt === undefined ? 0 : at.getTime() - oldestAt.getTime();
  return { status: ageMs <= underwrittenEveryHours * hourMs + toleranceMs ? 'fresh' : 'late', oldestAt };
}
