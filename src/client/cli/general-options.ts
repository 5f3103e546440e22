/** An option of every verb. */
export interface GeneralOption {
  /** What stands for its value; undefined for a switch. */
  readonly value?: string;
  readonly description: string;
}

/** The options of every verb, in the order of the help. */
export const generalOptions = {
  table: { description: 'For people. Default on a terminal.' },
  json: { description: 'The body as it came. Default anywhere else.' },
  ndjson: { description: 'A line of JSON for each record, as the pages come.' },
  csv: { description: 'The records as CSV (RFC 4180).' },
  all: { description: 'The further pages too. They are free.' },
  'dry-run': { description: 'The price alone. Nothing is signed.' },
  max: {
    value: '<usd>',
    description:
      'The highest price that is paid without a question. Default 0.10. Where nobody can be asked, nothing dearer is ' +
      'paid.',
  },
  help: { description: 'What can be said, with an example.' },
} as const satisfies Readonly<Record<string, GeneralOption>>;

export type Format = 'table' | 'json' | 'ndjson' | 'csv';
export const formats: readonly Format[] = ['table', 'json', 'ndjson', 'csv'];
