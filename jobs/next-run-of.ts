import type { DeliveryKind } from '../src/sources/source.js';
import { nextSlotOf, timetable } from './timetable.js';

/** The next time at which the clock reads sources of a kind. */
export function nextRunOf(delivers: DeliveryKind, now: Date): Date | undefined {
  const job = delivers === 'parcels' ? 'signals' : delivers;
  const entry = timetable.find((each) => each.job === job);
  return entry && nextSlotOf(entry, now);
}
