import type { ContractDocument, ContractOperation } from '../../contract/contract.js';
import { follow, type SchemaNode } from '../../contract/read-operations.js';
import { html, type Markup } from '../markup.js';
import { withCode } from '../with-code.js';

/**
 * The fields of what an operation answers, folded away: name and meaning, as the contract has them; `depth`: how far
 * the fields within fields are shown too.
 */
export function recordFields(document: ContractDocument, operation: ContractOperation, depth = 0): Markup {
  const pointer = operation.replies.get(200)?.get('application/json') ?? '';
  const record = recordOf(document, { $ref: pointer });
  const count = Object.keys(propertiesOf(document, record)).length;
  return html`<details class="record">
<summary>The ${count} fields of a record</summary>
${fieldList(document, record, depth)}
</details>`;
}

function fieldList(document: ContractDocument, record: SchemaNode, depth: number): Markup {
  return html`<dl>${Object.entries(propertiesOf(document, record)).map(([name, node]) => {
    const { description = '' } = { ...follow(document, node), ...(node as SchemaNode) } as { description?: string };
    const inner = depth > 0 ? recordOf(document, node) : {};
    const count = Object.keys(propertiesOf(document, inner)).length;
    const within =
      count === 0
        ? undefined
        : html`<details><summary>Its ${count} ${count === 1 ? 'field' : 'fields'}</summary>${fieldList(document, inner, depth - 1)}</details>`;
    return html`<div><dt><code>${name}</code></dt><dd>${withCode(description.trim())}${within}</dd></div>`;
  })}</dl>`;
}

/** The first record of a list, or of alternatives; of what is no list, itself. */
function recordOf(document: ContractDocument, node: unknown): SchemaNode {
  const schema = follow(document, node);
  const alternatives = (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly SchemaNode[];
  const inner = schema['items'] ?? alternatives.find((each) => each['type'] !== 'null');
  return inner === undefined ? schema : recordOf(document, inner);
}

function propertiesOf(document: ContractDocument, node: SchemaNode): Readonly<Record<string, unknown>> {
  const parts = (node['allOf'] ?? []) as readonly unknown[];
  const inherited = parts.map((part) => propertiesOf(document, follow(document, part)));
  return Object.assign({}, ...inherited, node['properties']) as Record<string, unknown>;
}
