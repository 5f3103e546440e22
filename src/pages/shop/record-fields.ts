import type { ContractDocument, ContractOperation } from '../../contract/contract.js';
import { follow, type SchemaNode } from '../../contract/read-operations.js';
import { html, type Markup } from '../markup.js';
import { withCode } from '../with-code.js';

/** The fields of what an operation sells, folded away: name, type and meaning, as the contract has them. */
export function recordFields(document: ContractDocument, operation: ContractOperation): Markup {
  const pointer = operation.replies.get(200)?.get('application/json') ?? '';
  const record = recordOf(document, { $ref: pointer });
  const fields = Object.entries(propertiesOf(document, record));
  return html`<details class="record">
<summary>The ${fields.length} fields of a record</summary>
<dl>${fields.map(([name, node]) => {
    const { description = '' } = { ...follow(document, node), ...(node as SchemaNode) } as { description?: string };
    return html`<div><dt><code>${name}</code></dt><dd>${withCode(description.trim())}</dd></div>`;
  })}</dl>
</details>`;
}

/** The first record of a list, or of alternatives; of what is no list, itself. */
function recordOf(document: ContractDocument, node: unknown): SchemaNode {
  const schema = follow(document, node);
  const inner = schema['items'] ?? (schema['anyOf'] ?? schema['oneOf'] ?? [])[0 as never];
  return inner === undefined ? schema : recordOf(document, inner);
}

function propertiesOf(document: ContractDocument, node: SchemaNode): Readonly<Record<string, unknown>> {
  const parts = (node['allOf'] ?? []) as readonly unknown[];
  const inherited = parts.map((part) => propertiesOf(document, follow(document, part)));
  return Object.assign({}, ...inherited, node['properties']) as Record<string, unknown>;
}
