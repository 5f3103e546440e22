import { isKnown, type Maybe } from '../absence.js';

/** Collects the reasons of one record's absent values while its fields are written. */
export interface AbsenceCollector<Absences extends object> {
  readonly absentFields: Absences;
  /** The value, or null with its reason kept under the field's name. */
  take<T>(field: keyof Absences & string, maybe: Maybe<T>): T | null;
}

/**
 * The record's `absent` is typed by the contract; whether a reason may stand at a field is proven when it is rendered.
 */
export function createAbsence<Absences extends object>(): AbsenceCollector<Absences> {
  const absentFields: Record<string, { reason: string }> = {};
  return {
    // Reasons per field are narrower on the wire than in the domain; the contract's proof is the judge.
    absentFields: absentFields as Absences,
    take(field, maybe) {
      if (isKnown(maybe)) return maybe.value;
      absentFields[field] = { reason: maybe.absent };
      return null;
    },
  };
}
