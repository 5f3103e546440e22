import { verbOperations } from './verbs.js';

/** A verb that is no operation of the contract. */
export interface OwnVerb {
  readonly summary: string;
  /** What follows it. */
  readonly usage: string;
  readonly example: readonly string[];
  /** True where it takes no options but those that say the format. */
  readonly formatsOnly: boolean;
}

/** The verbs that are no operation of the contract, in the order of the help. */
export const ownVerbs: Readonly<Record<string, OwnVerb>> = {
  price: {
    summary: 'What a verb would cost, or what everything costs',
    usage: '[<verb> ...]',
    example: ['deals', '--state', 'OH'],
    formatsOnly: false,
  },
  wallet: {
    summary: 'Who pays, where, what was spent, and what is open',
    usage: '',
    example: [],
    formatsOnly: true,
  },
  buy: {
    summary: 'Anything, by its path and query',
    usage: '<path>',
    example: ['/api/deals?state=OH&limit=5'],
    formatsOnly: false,
  },
};

/** Everything that there is help for. */
export const helpTopics: readonly string[] = [
  ...new Set([...verbOperations.map(({ verb }) => verb), ...Object.keys(ownVerbs)]),
];
