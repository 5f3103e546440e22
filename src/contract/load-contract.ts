import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { OperatorError } from '../errors.js';
import { findProjectFile } from '../project-file.js';
import { prepareDocument } from './prepare-document.js';
import { readOperations } from './read-operations.js';
import type { Contract, ContractDocument, ContractParameter } from './contract.js';

/**
 * Reads `openapi.yaml`, the single source of truth, and checks what no linter knows: each operation is either priced
 * (`x-payment-info`, with a 402 declared) or tagged `free` (without both).
 *
 * @throws OperatorError naming the operation that is neither, or both.
 */
export function loadContract(path?: string): Contract {
  if (path !== undefined) return readContract(path);
  return (served ??= readContract(findProjectFile('openapi.yaml')));
}

/** The contract of this process: all who ask for it share it. */
let served: Contract | undefined;

function readContract(path: string): Contract {
  const text = readFileSync(path, 'utf8');
  const document = prepareDocument(load(text) as ContractDocument);
  const operations = readOperations(document);
  const problems = operations.flatMap((operation) => {
    const free = operation.tags.includes('free');
    const priced = operation.priceUsd !== undefined;
    // What is free and asks for a wallet's proof answers 402 as well, and takes no payment.
    const asksForPayment = operation.replies.has(402) && (priced || !operation.parameters.some(isWalletProof));
    return priced !== free && priced === asksForPayment ? [] : [operation.operationId];
  });
  if (problems.length > 0) {
    throw new OperatorError(
      `The contract must either price an operation (x-payment-info and a 402 reply) or tag it free: ${problems.join(', ')}.`,
    );
  }
  return { text, document, operations };
}

const isWalletProof = (parameter: ContractParameter): boolean =>
  parameter.in === 'header' && parameter.name === 'SIGN-IN-WITH-X';
