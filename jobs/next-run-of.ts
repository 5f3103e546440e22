import type { DeliveryKind } from '../src/sources/source.js';
import { nextSlotOf, timetable } from './timetable.js';

/** When the clock reads the sources of a kind next. */
export function nextRunOf(delivers: DeliveryKind, now: Date): Date | undefined {
  const job = delivers === 'parcels' ? 'signals' : delivers;
  const entry = timetable.find((each) => each.job === job);
  return entry && nextSlotOf(entry, now);
}
