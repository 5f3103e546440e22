import type { Path } from './rationale.js';

/**
 * What a buyer should check in a state before acting on a path, `notices-1.0.0`. Pointers to statutes, not advice; a
 * state without an entry may have rules too.
 */
const notices: Readonly<Record<Path, Readonly<Record<string, readonly string[]>>>> = {
  rental: {},
  wholesale: {
    IL: ['Illinois: repeated wholesaling can require a broker licence (225 ILCS 454).'],
    KY: ['Kentucky: advertising an equitable interest for sale can require a licence (KRS chapter 324).'],
    OK: ['Oklahoma: marketing a contract interest is restricted (Predatory Real Estate Wholesaler Prohibition Act).'],
    PA: ['Pennsylvania: wholesaling residential property can require a licence and disclosures (Act 52 of 2024).'],
    TX: ['Texas: whoever sells a contract interest must disclose its nature (Occupations Code section 1101.0045).'],
  },
  creative: {
    IL: ['Illinois: instalment sales of one to four units are regulated (765 ILCS 67).'],
    OH: ['Ohio: land instalment contracts on dwellings are regulated (Revised Code chapter 5313).'],
    TX: ['Texas: executory contracts on residences are regulated (Property Code chapter 5, subchapter D).'],
  },
};

const none: readonly string[] = [];

/** The notices for a path in a state; empty when none are known. */
export function stateNotices(path: Path, state: string): readonly string[] {
  return Object.hasOwn(notices[path], state) ? (notices[path][state] ?? none) : none;
}
