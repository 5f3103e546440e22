import { negations } from './remarks-words.js';

/** No phrase is denied by words further away than this. */
const reach = 80;

const no = `(?:${negations.join('|')})`;
/** Of these, those that deny what was said before. */
const not = '(?:not|no longer|never|isnt|arent|wasnt|wont|cannot|cant|doesnt|dont|unable)';
const onOffer = 'available|offered|considered|accepted|allowed|possible|provided|present|needed|option';
/** What denies a defect, and grants an offer: "is not a problem". */
const worry = 'issue|problem|concern';

/** "no", or with up to two words between: "not do a". A comma ends it. */
const before = new RegExp(` ${no}(?: \\w+){0,2}$`);
/**
 * "no trades, " of "no trades, land contract or lease": in a list that goes on with "or" a comma does not end it. Cash
 * is taken by everybody, and begins what is granted: "no FHA, cash or owner financing".
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
 * True when a phrase of remarks is denied where it stands: by a negation among the three words before it in its clause,
 * by one behind it ("is not available"), or by the answer to its question.
 *
 * @param text the remarks as `readRemarks` normalises them: words, commas, "." and "?" between single spaces
 * @param from where the phrase begins, at the space before it
 * @param to where it ends, at the space behind it
 * @param isDefect whether the phrase names a defect of the building
 */
export function isDenied(text: string, from: number, to: number, isDefect: boolean): boolean {
  const sentence = Math.max(text.lastIndexOf('.', from), text.lastIndexOf('?', from)) + 1;
  const [left, right] = [text.slice(Math.max(sentence, from - reach), from), text.slice(to, to + reach)];
  const isListed = / n?or$/.test(left) || /^(?: ,)? n?or /.test(right);
  if (before.test(left) || (isListed && beforeInList.test(left))) return true;
  return (isDefect ? behindDefect : behind).some((denial) => denial.test(right));
}
