import { readFileSync } from 'node:fs';
import { $, defineConfig, definePluginConfig, type DefinePlugin } from '@hey-api/openapi-ts';
import { loadContract } from './src/contract/load-contract.js';
import { defaultMaxPriceAtomic } from './src/client/payments/choose-offer.js';
import { parseUsd } from './src/client/payments/usd.js';
import { createPurchaseError } from './src/client/error-classes.js';
import type { ClientReason } from './src/client/payments/purchase-error.js';
import type { ContractOperation } from './src/contract/contract.js';
import { docOfMethod, docOfReader } from './src/contract/doc-of-method.js';
import { reasonsOf } from './src/operations/reasons-of.js';
import { camelCase, operationNames } from './src/wire/operation-names.js';

const { version: packageVersion } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * Emits `generated/operations.gen.ts`: from each operationId to its parameters, replies and errors. The server derives
 * its handler types from this map, so that a missing handler or an undeclared status does not compile.
 */
type OperationsPlugin = DefinePlugin<{ name: 'operations' }>;

const operations = definePluginConfig<OperationsPlugin['Types']>({
  name: 'operations',
  config: { includeInEntry: false },
  dependencies: ['@hey-api/typescript'],
  handler: ({ plugin }) => {
    const map = $.type.object();
    plugin.forEach(
      'operation',
      ({ operation }) => {
        const entry = $.type.object();
        for (const role of ['data', 'responses', 'errors']) {
          const symbol = plugin.querySymbol({
            category: 'type',
            resource: 'operation',
            resourceId: operation.id,
            role,
            tool: 'typescript',
          });
          entry.prop(role, (property) => property.type(symbol ? $.type(symbol) : $.type('never')));
        }
        map.prop(operation.operationId ?? operation.id, (property) => property.type(entry));
      },
      { order: 'declarations' },
    );
    plugin.node($.type.alias(plugin.symbol('Operations')).export().type(map));
  },
});

/**
 * Emits `generated/manual.gen.ts`: what the contract says of each operation to a person who calls it by name, with its
 * parameters. The buyer's command takes its options, its help and its version from there.
 */
type ManualPlugin = DefinePlugin<{ name: 'manual' }>;

const manual = definePluginConfig<ManualPlugin['Types']>({
  name: 'manual',
  config: { includeInEntry: false },
  handler: ({ plugin }) => {
    const pages = loadContract().operations.map(({ operationId, summary, priceUsd = null, parameters }) => {
      const told = parameters
        .filter((parameter) => parameter.in !== 'header')
        .sort((one, other) => Number(other.in === 'path') - Number(one.in === 'path'))
        .map(({ name, required, type, kind, values, bounds, example, description }) => ({
          ...{ name, isRequired: required, type },
          ...(kind && { kind }),
          ...(values && { values }),
          ...(bounds && { bounds }),
          ...(example && { example }),
          description: description.trim().replaceAll(/\s+/g, ' '),
        }));
      return [operationId, { summary, priceUsd, parameters: told }] as const;
    });
    const constant = $.const(plugin.symbol('manual'))
      .export()
      .assign($.fromValue(Object.fromEntries(pages)));
    plugin.node(constant);
    const versions = { client: packageVersion, contract: String(loadContract().document.info.version) };
    plugin.node($.const(plugin.symbol('versions')).export().assign($.fromValue(versions)));
  },
});

/**
 * Emits `generated/methods.gen.ts`: from each method of the client to its operation, and the readers of all pages by
 * operation, with what an editor shows of them.
 */
type MethodsPlugin = DefinePlugin<{ name: 'methods' }>;

const methods = definePluginConfig<MethodsPlugin['Types']>({
  name: 'methods',
  config: { includeInEntry: false },
  handler: ({ plugin }) => {
    const [calls, readers] = [$.type.object(), $.type.object()];
    for (const operation of loadContract().operations) {
      const { operationId, priceUsd, parameters } = operation;
      const name = (operationNames as Readonly<Record<string, string>>)[operationId];
      if (name === undefined) continue;
      const type = $.type.literal(operationId);
      const isDear = (parseUsd(priceUsd ?? '0') ?? 0n) > defaultMaxPriceAtomic;
      const notes = { name: camelCase(name), isDear, errors: errorsOf(operation) };
      calls.prop(notes.name, (property) => property.doc(docOfMethod(operation, notes)).type(type));
      if (priceUsd === undefined || !parameters.some((parameter) => parameter.name === 'limit')) continue;
      const reader = $.type.object().prop('all', (all) => all.doc(docOfReader(operation, notes)).type(type));
      readers.prop(operationId, (property) => property.type(reader));
    }
    plugin.node($.type.alias(plugin.symbol('Methods')).export().type(calls));
    plugin.node($.type.alias(plugin.symbol('Readers')).export().type(readers));
  },
});

/** Which calls the client itself can end with a reason: any, those that sign anything, or those that pay. */
const clientReasons: Readonly<Record<ClientReason, 'any' | 'signed' | 'paid'>> = {
  price_above_limit: 'paid',
  budget_exceeded: 'paid',
  not_approved: 'paid',
  no_acceptable_payment: 'paid',
  challenge_unreadable: 'signed',
  key_needed: 'signed',
  not_signed: 'signed',
  storage_failed: 'any',
  outcome_unknown: 'paid',
  server_unreachable: 'any',
  unexpected_answer: 'any',
  reply_too_large: 'any',
  reply_stalled: 'any',
  aborted: 'any',
};

/** The reasons that a call of an operation can end with, by the class of their error. */
function errorsOf(operation: ContractOperation): ReadonlyMap<string, readonly string[]> {
  const isPaid = operation.priceUsd !== undefined;
  const isSigned = isPaid || operation.operationId === 'getPaymentResponse';
  const own = (Object.keys(clientReasons) as ClientReason[]).filter(
    (reason) => ({ any: true, signed: isSigned, paid: isPaid })[clientReasons[reason]],
  );
  const errors = new Map<string, string[]>();
  for (const reason of [...reasonsOf(operation), ...own]) {
    const { name } = createPurchaseError(reason, '');
    errors.set(name, [...(errors.get(name) ?? []), reason]);
  }
  return errors;
}

/** Emits `generated/paths.gen.ts`: the path of each operation, for the client. */
type PathsPlugin = DefinePlugin<{ name: 'paths' }>;

const paths = definePluginConfig<PathsPlugin['Types']>({
  name: 'paths',
  config: { includeInEntry: false },
  handler: ({ plugin }) => {
    const table: Record<string, string> = {};
    plugin.forEach(
      'operation',
      ({ operation }) => {
        table[operation.operationId ?? operation.id] = operation.path;
      },
      { order: 'declarations' },
    );
    plugin.node($.const(plugin.symbol('operationPaths')).export().assign($.fromValue(table)));
  },
});

export default defineConfig({
  input: { ...loadContract().document },
  output: {
    path: './generated',
    clean: true,
    importFileExtension: '.js',
    postProcess: [{ name: 'plain', command: 'tsx', args: ['src/contract/write-plain-documents.ts', '{{path}}'] }],
  },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch', operations(), manual(), methods(), paths()],
});
