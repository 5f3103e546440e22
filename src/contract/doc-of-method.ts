import type { ContractOperation, ContractParameter } from './contract.js';

/** When a call throws an error of each class of the client. */
const whenThrown: Readonly<Record<string, string>> = {
  FaultyRequestError: 'naming the parameter and the cure. Nothing is charged.',
  NothingFoundError: 'when nothing matches. Nothing is charged.',
  NotApprovedError: 'above `maxPricePerCall` or the budget, or when `onBeforePay` refuses. Nothing is signed.',
  PaymentRefusedError: 'when it cannot be paid. Nothing is charged.',
  OutcomeUnknownError: 'when it may be charged: make the same call again, it is charged at most once.',
  UnavailableError: 'when no answer can be had now. Nothing is charged.',
  UnexpectedAnswerError: 'when the answer breaks the contract, or is too large or too slow.',
  AbortedError: 'when a signal ends the call.',
};

/** What an editor is to know of a method beside its operation. */
export interface MethodNotes {
  readonly name: string;
  /** It costs more than the client pays unless it is told another limit. */
  readonly isDear: boolean;
  /** The reasons of its errors, by the class of the error. */
  readonly errors: ReadonlyMap<string, readonly string[]>;
}

/** What an editor shows of the client's method of an operation, as lines of TSDoc. */
export function docOfMethod(operation: ContractOperation, notes: MethodNotes): string[] {
  const { name, isDear } = notes;
  const { priceUsd = '', parameters } = operation;
  const told = parameters.filter((parameter) => parameter.in !== 'header');
  const needed = told.filter(({ required }) => required);
  const [first] = told.filter(({ example }) => example !== undefined);
  const example = exampleOf(needed.length > 0 || first === undefined ? needed : [first]);
  const options = isDear ? `, { maxPrice: '${priceUsd}' }` : '';
  const given = example === '' && options !== '' ? '{}' : example;
  return docOf(operation, notes, '', `const { data } = await client.${name}(${given}${options});`);
}

/** As `docOfMethod`, for the reader of all pages that the method has. */
export function docOfReader(operation: ContractOperation, notes: MethodNotes): string[] {
  const [first] = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.example);
  const loop = `for await (const record of client.${notes.name}.all(${exampleOf(first ? [first] : [])}))`;
  return docOf(
    operation,
    notes,
    ' Every page of the result, record by record, for one payment.',
    `${loop} void record;`,
  );
}

function docOf(
  { operationId, summary, priceUsd, parameters }: ContractOperation,
  { isDear, errors }: MethodNotes,
  extent: string,
  example: string,
): string[] {
  const told = parameters.filter((parameter) => parameter.in !== 'header');
  const cap = isDear ? ` Needs \`maxPricePerCall\` or \`maxPrice\` of ${priceUsd}.` : '';
  return [
    `${summary}. ${priceUsd === undefined ? 'Free.' : `$${priceUsd} a call.${cap}`}${extent}`,
    '',
    ...told.map((parameter) => `@param parameters.${parameter.name} - ${inOneLine(parameter.description)}`),
    `@example ${example}`,
    ...Object.entries(whenThrown).flatMap(([error, when]) => {
      const reasons = errors.get(error);
      return reasons === undefined ? [] : [`@throws ${error} ${when} Reasons: ${reasons.join(', ')}.`];
    }),
    `@see /docs#${operationId}`,
  ];
}

function exampleOf(parameters: readonly ContractParameter[]): string {
  if (parameters.length === 0) return '';
  return `{ ${parameters.map((parameter) => `${parameter.name}: ${valueOf(parameter)}`).join(', ')} }`;
}

function valueOf({ type, example = '', values }: ContractParameter): string {
  if (type === 'number' || type === 'integer' || type === 'boolean') return example;
  const text = example === '' ? (values?.[0] ?? '') : example;
  return type === 'array'
    ? `[${text
        .split(',')
        .map((each) => `'${each}'`)
        .join(', ')}]`
    : `'${text}'`;
}

/** `*` and `/` together would end the comment. */
const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').replaceAll('*/', '* /');
