import type { DeliveryKind } from '../src/sources/source.js';
import { nextSlotOf, timetable } from './timetable.js';

/** When sources of a kind are read next. The job of the signals reads parcels too. */
export function nextRunOf(delivers: DeliveryKind, now: Date): Date | undefined {
  const job = delivers === 'parcels' ? 'signals' : delivers;
  const entry = timetable.find((each) => each.job === job);
  return entry && nextSlotOf(entry, now);
}
