import { negations } from './remarks-words.js';

/** Characters around a phrase that are searched for a denial. */
const reach = 80;

const no = `(?:${negations.join('|')})`;
/** The negations that deny what precedes them. */
const not = '(?:not|no longer|never|isnt|arent|wasnt|wont|cannot|cant|doesnt|dont|unable)';
const onOffer = 'available|offered|considered|accepted|allowed|possible|provided|present|needed|option';
/** Denying these words clears a defect but confirms an offer: "is not a problem". */
const worry = 'issue|problem|concern';

/** "no" directly before or with up to two words between: "not do a". A comma ends it. */
const before = new RegExp(` ${no}(?: \\w+){0,2}$`);
/**
 * "no trades, " in "no trades, land contract or lease": a comma does not end a list that continues with "or". "cash"
 * and "conventional" start what is accepted: "no FHA, cash or owner financing".
 */
const beforeInList = new RegExp(
  ` ${no}(?: \\w+){1,3}(?: ,(?! (?:cash|conventional) )(?: \\w+){1,3})*(?: ,)?(?: n?or)?$`,
);

// "is not available", "will not be considered", "terms are no longer an option"
const isNot = (what: string): RegExp =>
  new RegExp(`^(?: \\w+)?(?: (?:is|are|was|were|will|would|can))? ${not}(?: (?:be|being|currently|an?))* (?:${what}) `);
const behind = [
  isNot(onOffer),
  /^(?: is| are)? unavailable /,
  // "? Seller doesnt offer it", "? No."
  new RegExp(`^(?: \\w+){0,3} \\?(?: no(?= [.,?])|(?: \\w+){0,3} ${not} )`),
  // ": no.", "- none"
  /^ [.,] (?:no|none|never|not) [.,?]/,
];
const behindDefect = [...behind, isNot(worry)];

/**
 * True when remarks deny a phrase: by a negation among the three words before it in its clause, by one after it ("is
 * not available"), or by the answer to its question.
 *
 * @param text the remarks as `readRemarks` normalizes them: words, commas, "." and "?" between single spaces
 * @param from start of the phrase, at the space before it
 * @param to end of the phrase, at the space after it
 * @param isDefect whether the phrase names a defect of the building
 */
export function isDenied(text: string, from: number, to: number, isDefect: boolean): boolean {
  const sentence = Math.max(text.lastIndexOf('.', from), text.lastIndexOf('?', from)) + 1;
  const [left, right] = [text.slice(Math.max(sentence, from - reach), from), text.slice(to, to + reach)];
  const isListed = / n?or$/.test(left) || /^(?: ,)? n?or /.test(right);
  if (before.test(left) || (isListed && beforeInList.test(left))) return true;
  return (isDefect ? behindDefect : behind).some((denial) => denial.test(right));
}
