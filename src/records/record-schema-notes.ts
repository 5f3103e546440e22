import type { ContractDocument } from '../contract/contract.js';
import { follow, type SchemaNode } from '../contract/read-operations.js';

/** One meaning of a field: the contract's text, and the kinds of records with it. */
interface Meaning {
  readonly text: string;
  readonly kinds: Set<string>;
  readonly values: Set<string>;
}

const schemas = { deal: 'Deal', signal: 'Signal', auction: 'Auction', lead: 'Lead' };

/**
 * The meanings of all records' fields and enumerations, by field, in the contract's own words, for agents that read
 * metadata first. A field with several meanings lists each. A lead has all fields of its own record, so it is listed
 * only for meanings of its own.
 */
export function recordSchemaNotes(document: ContractDocument): Readonly<Record<string, string>> {
  const fields = new Map<string, Meaning[]>();
  for (const [kind, name] of Object.entries(schemas)) {
    for (const { properties } of variantsOf(document, document.components['schemas']?.[name])) {
      for (const [field, node] of Object.entries(properties as SchemaNode)) {
        const meanings = fields.get(field) ?? [];
        fields.set(field, meanings);
        addMeaning(meanings, kind, describe(document, node));
      }
    }
  }
  return Object.fromEntries([...fields].map(([field, meanings]) => [field, tell(meanings)]));
}

function variantsOf(document: ContractDocument, node: unknown): SchemaNode[] {
  const { oneOf = [node] } = node as { readonly oneOf?: readonly unknown[] };
  return oneOf.map((variant) => follow(document, variant));
}

function addMeaning(meanings: Meaning[], kind: string, { text, values }: ReturnType<typeof describe>): void {
  const same = meanings.find((each) => each.text === text);
  if (same === undefined) meanings.push({ text, kinds: new Set([kind]), values: new Set(values) });
  else {
    if (kind !== 'lead') same.kinds.add(kind);
    for (const value of values) same.values.add(value);
  }
}

/** A description beside a reference overrides the one it refers to. */
function describe(document: ContractDocument, node: unknown) {
  const schema: SchemaNode = { ...follow(document, node), ...(node as SchemaNode) };
  const { enum: ofItems } = (schema['items'] ?? {}) as SchemaNode;
  const values = [schema['enum'] ?? ofItems ?? schema['const'] ?? []].flat();
  return {
    text: String(schema['description']).trim().replaceAll(/\s+/g, ' '),
    values: values.filter((value) => typeof value === 'string'),
  };
}

function tell(meanings: readonly Meaning[]): string {
  const told = meanings.map(({ text, kinds, values }) => {
    const note = values.size === 0 ? text : `${text} Values: ${[...values].join(', ')}.`;
    return meanings.length === 1 ? note : `${[...kinds].join(', ')}: ${note}`;
  });
  return told.join(' ');
}
