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

/**
 * The phrases by topic, `remarks-1.1.0`: lower case, without punctuation, matched as whole words. They name the sale,
 * its terms and the building; never people, schools, crime, family or any protected trait.
 */
export const remarksWords: Readonly<Record<RemarksTopic, readonly string[]>> = {
  motivated: [
    'motivated seller',
    'motivated owner',
    'seller is motivated',
    'seller motivated',
    'very motivated',
    'highly motivated',
    'must sell',
    'priced to sell',
    'bring all offers',
    'bring your offers',
    'all offers considered',
    'quick sale',
    'reduced for quick sale',
    'liquidating',
    'liquidation',
  ],
  estate: ['estate sale', 'probate', 'sold by estate'],
  as_is: ['as is', 'sold as is', 'no repairs will be made', 'no warranties'],
  seller_finance: [
    'seller financing',
    'seller finance',
    'owner financing',
    'owner finance',
    'seller will carry',
    'owner will carry',
    'seller may carry',
    'owner may carry',
    'seller carry',
    'owner carry',
    'seller carryback',
    'owner carryback',
    'carry back',
    'land contract',
    'contract for deed',
    'seller held note',
  ],
  distressed: [
    'fire damage',
    'fire damaged',
    'water damage',
    'boarded up',
    'boarded',
    'condemned',
    'uninhabitable',
    'code violations',
    'structural damage',
    'foundation issues',
    'gutted',
    'distressed',
  ],
  heavy_rehab: [
    'fire damage',
    'fire damaged',
    'boarded up',
    'boarded',
    'condemned',
    'uninhabitable',
    'structural damage',
    'gutted',
    'full gut',
    'gut rehab',
    'gut renovation',
    'full rehab',
    'complete rehab',
    'total rehab',
    'down to the studs',
    'vacant shell',
    'shell condition',
  ],
  medium_rehab: [
    'needs work',
    'needs some work',
    'needs tlc',
    'some tlc',
    'handyman special',
    'fixer',
    'fixer upper',
    'value add',
    'needs updating',
    'water damage',
    'deferred maintenance',
  ],
  light_rehab: [
    'turnkey',
    'turn key',
    'fully renovated',
    'newly renovated',
    'completely renovated',
    'recently renovated',
    'fully updated',
    'fully remodeled',
    'completely remodeled',
    'newly remodeled',
    'fully rehabbed',
    'completely rehabbed',
    'move in ready',
  ],
};

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
