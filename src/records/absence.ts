import { isKnown, type Maybe } from '../absence.js';

/** Collects the reasons of a record's absent values while its fields are written. */
export interface AbsenceCollector<Absences extends object> {
  readonly absentFields: Absences;
  /** Returns the value, or null after storing its reason under the field's name. */
  take<T>(field: keyof Absences & string, maybe: Maybe<T>): T | null;
}

/**
 * Creates a collector for a record whose `absent` the contract types; rendering proves that each reason is allowed at
 * its field.
 */
export function createAbsence<Absences extends object>(): AbsenceCollector<Absences> {
  const absentFields: Record<string, { reason: string }> = {};
  return {
    // Reasons per field are narrower in the contract than in the domain; the contract's proof checks them.
    absentFields: absentFields as Absences,
    take(field, maybe) {
      if (isKnown(maybe)) return maybe.value;
      absentFields[field] = { reason: maybe.absent };
      return null;
    },
  };
}
