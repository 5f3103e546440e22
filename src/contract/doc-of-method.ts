import type { ContractOperation, ContractParameter } from './contract.js';

/** The classes of the client's errors, by the status that an operation declares. */
const errorsOf: readonly (readonly [status: number, text: string, also?: number])[] = [
  [400, 'FaultyRequestError naming the parameter and the cure. Nothing is charged.'],
  [404, 'NothingFoundError when nothing matches. Nothing is charged.'],
  [402, 'NotApprovedError above a cap, PaymentRefusedError when it cannot be paid. Nothing is charged.'],
  [409, 'OutcomeUnknownError when it may be charged: make the same call again, it is charged at most once.'],
  [503, 'UnavailableError when no answer can be had now. Nothing is charged.', 429],
];

/** A reason that an operation can give, with its status. */
export interface GivenReason {
  readonly reason: string;
  readonly status: number;
}

/**
 * What an editor shows of the client's method of an operation, as lines of TSDoc. `isDear`: it costs more than the
 * client pays unless it is told another limit. `given`: the reasons of its errors.
 */
export function docOfMethod(
  { operationId, ...operation }: ContractOperation,
  name: string,
  isDear: boolean,
  given: readonly GivenReason[],
): string[] {
  const { summary, priceUsd, parameters, replies } = operation;
  const told = parameters.filter((parameter) => parameter.in !== 'header');
  const cap = isDear ? ` Needs \`maxPricePerCall\` or \`maxPrice\` of ${priceUsd}.` : '';
  const texts = told.map((parameter) => `@param parameters.${parameter.name} - ${inOneLine(parameter.description)}`);
  const needed = told.filter(({ required }) => required);
  const [first] = told.filter(({ example }) => example !== undefined);
  const example = exampleOf(needed.length > 0 || first === undefined ? needed : [first]);
  const options = isDear ? `, { maxPrice: '${priceUsd}' }` : '';
  return [
    `${summary}. ${priceUsd === undefined ? 'Free.' : `$${priceUsd} a call.${cap}`}`,
    '',
    ...texts,
    `@example const { data } = await client.${name}(${example === '' && options !== '' ? '{}' : example}${options});`,
    ...errorsOf
      .filter(([status]) => replies.has(status))
      .map(([status, text, also]) => {
        const named = given.filter((each) => [status, also].includes(each.status)).map(({ reason }) => reason);
        return `@throws ${text}${named.length === 0 ? '' : ` Reasons: ${named.join(', ')}.`}`;
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
