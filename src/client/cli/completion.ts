import { helpTopics, findVerb, generalOptions, optionOf, optionsOf, ownVerbs } from './verbs.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface CompletedOption {
  /** With its dashes. */
  readonly name: string;
  /** What its value may be, where that is few. */
  readonly values: readonly string[];
  readonly takesValue: boolean;
}

/** A script for a shell that completes verbs, options and their few values. It asks nobody anything. */
export function renderCompletion(shell: Shell): string {
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell]();
}

function optionsOfVerb(verb: string): readonly CompletedOption[] {
  const operation = findVerb(verb);
  const general = verb === 'buy' || verb === 'price' ? optionsOf() : operation ? optionsOf(operation) : [];
  const own = operation?.parameters.filter(({ isRequired }) => !isRequired) ?? [];
  return [
    ...own.map((each) => ({
      name: `--${optionOf(each)}`,
      values: each.values ?? [],
      takesValue: each.type !== 'boolean',
    })),
    ...general.map((name) => ({
      name: `--${name}`,
      values: [],
      takesValue: 'value' in generalOptions[name as keyof typeof generalOptions],
    })),
  ];
}

function wordsAfter(verb: string): string {
  return verb === 'completion'
    ? shells.join(' ')
    : optionsOfVerb(verb)
        .map(({ name }) => name)
        .join(' ');
}

/** Cases of a shell: after an option its values, else what a verb takes. */
function renderCases(complete: (words: string) => string): readonly string[] {
  const values = helpTopics.flatMap((verb) =>
    optionsOfVerb(verb)
      .filter((option) => option.values.length > 0)
      .map((option) => `    "${verb} ${option.name}") ${complete(option.values.join(' '))}; return ;;`),
  );
  return [
    '  case "$verb $before" in',
    ...values,
    '  esac',
    '  case "$verb" in',
    ...helpTopics.map((verb) => `    ${verb}) ${complete(wordsAfter(verb))} ;;`),
    '  esac',
  ];
}

function renderBash(): string {
  const complete = (words: string): string => `COMPREPLY=($(compgen -W "${words}" -- "$word"))`;
  return lines([
    '_deals_feed() {',
    '  local verb="${COMP_WORDS[1]}" word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
    `  if [ "$COMP_CWORD" -eq 1 ]; then ${complete(helpTopics.join(' '))}; return; fi`,
    ...renderCases(complete),
    '}',
    'complete -F _deals_feed deals-feed',
  ]);
}

function renderZsh(): string {
  const complete = (words: string): string => `compadd -- ${words}`;
  return lines([
    '#compdef deals-feed',
    '_deals_feed() {',
    '  local verb="${words[2]}" before="${words[CURRENT-1]}"',
    `  if (( CURRENT == 2 )); then ${complete(helpTopics.join(' '))}; return; fi`,
    ...renderCases(complete),
    '}',
    'compdef _deals_feed deals-feed',
  ]);
}

function renderFish(): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
  const verbs = helpTopics.map((verb) => {
    const summary = findVerb(verb)?.summary ?? ownVerbs[verb]?.summary ?? '';
    return `complete -c deals-feed -n __fish_use_subcommand -a ${verb} -d ${quoted(summary)}`;
  });
  const options = helpTopics.flatMap((verb) =>
    optionsOfVerb(verb).map(({ name, values, takesValue }) => {
      const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -x' : '';
      return `complete -c deals-feed -n '__fish_seen_subcommand_from ${verb}' -l ${name.slice(2)}${value}`;
    }),
  );
  return lines(['complete -c deals-feed -f', ...verbs, ...options]);
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}
