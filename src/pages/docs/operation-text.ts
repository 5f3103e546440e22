import { type ContractOperation, priceLabel } from '../../contract/contract.js';

/** Characters that a text for a language model may have. */
const mostCharacters = 3_000;

/** An operation as Markdown for a language model, 3,000 characters at most: the last parameters are named alone. */
export function operationAsText(operation: ContractOperation): string {
  const { path, summary, description, parameters } = operation;
  const asked = parameters.filter((parameter) => parameter.in !== 'header');
  const head = [
    `# GET ${path} (${priceLabel(operation)})`,
    `${summary}. ${inOneLine(description)}`,
    ...(operation.priceUsd === undefined
      ? []
      : ['Ask without payment: the 402 has the price in PAYMENT-REQUIRED. Pay with x402; a 404 is free.']),
    ...(asked.length === 0 ? [] : ['Parameters:']),
  ].join('\n');
  const lines = asked.map(
    ({ name, required, description: says }) => `- ${name}${required ? ' (required)' : ''}: ${inOneLine(says)}`,
  );
  const short = asked.map(({ name }) => `- ${name}`);
  const shown = [...lines];
  for (let last = shown.length - 1; last >= 0 && [head, ...shown].join('\n').length > mostCharacters; last -= 1)
    shown[last] = short[last] ?? '';
  return [head, ...shown].join('\n').slice(0, mostCharacters);
}

const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');
