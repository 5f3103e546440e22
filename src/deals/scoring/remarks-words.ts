import { readTable } from '../../project-file.js';

/** The topics in remarks that rules use. */
export const remarksTopics = [
  'motivated',
  'estate',
  'as_is',
  'seller_finance',
  'distressed',
  'heavy_rehab',
  'medium_rehab',
  'light_rehab',
] as const;
export type RemarksTopic = (typeof remarksTopics)[number];

/** The topics about defects of the building. */
export const defects: ReadonlySet<RemarksTopic> = new Set(['distressed', 'heavy_rehab', 'medium_rehab', 'light_rehab']);

const phrases = readTable('src/deals/scoring/remarks-phrases.csv', {
  topic: new RegExp(`^(${remarksTopics.join('|')})$`),
  phrase: /^[a-z]+( [a-z]+)*$/,
});

/** The phrases by topic: lower case, without punctuation, matched as whole words. */
export const remarksWords: Readonly<Record<RemarksTopic, readonly string[]>> = Object.fromEntries(
  remarksTopics.map((topic) => [topic, phrases.filter((row) => row.topic === topic).map(({ phrase }) => phrase)]),
) as Record<RemarksTopic, string[]>;

/** Words that negate a phrase when among the three words before it in its clause. */
export const negations: readonly string[] = [
  ...['no', 'not', 'non', 'never', 'without', 'neither', 'nor', 'zero', 'free of', 'free from', 'unable', 'unwilling'],
  ...['isnt', 'arent', 'wasnt', 'wont', 'cannot', 'cant', 'doesnt', 'dont', 'didnt', 'wouldnt'],
];

/** Negations that deny only their own words and nothing after them. */
export const spentNegations: readonly string[] = [
  ...['wont last', 'will not last', 'cannot last', 'cant last'],
  ...['dont miss', 'do not miss', 'dont wait', 'do not wait', 'dont delay', 'do not delay', 'no problem', 'not only'],
  ...['no credit check', 'no money down', 'no down payment', 'zero down', 'zero money down', 'no balloon'],
];

/**
 * Text that looks like a phrase but means something else, matched in lower case with punctuation: "kitchen is new, as
 * is unit 2". ("as-is" and "sold as is" do mean the sale.)
 */
export const lookalikes =
  /\breal estate\b|(?<!\b(?:sold|selling|sells|offered) )\bas is (?:the|an?|its|this|each|every|apartment|units?)\b/g;
