import { wrapText } from '../../terminal/wrap-text.js';
import { plainText } from '../plain-text.js';
import { isRow, type Row } from '../wire/records.js';

/**
 * One object for a terminal of `width` characters: a line for each field, nested fields indented. Long values wrap
 * within their column.
 */
export function renderFields(thing: Row, width: number): string {
  const fields = listFields(thing, '');
  const indent = fields.reduce((longest, [name]) => Math.max(longest, name.length), 0) + 2;
  const lines = fields.flatMap(([name, value]) =>
    wrapText(value, width - indent).map((line, index) => (index === 0 ? name : '').padEnd(indent) + line),
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

type Field = readonly [name: string, value: string];

function listFields(thing: Row, indent: string): Field[] {
  return Object.entries(thing).flatMap(([name, value]): Field[] => {
    const field = indent + plainText(name);
    if (isRow(value) && Object.keys(value).length > 0) return [[field, ''], ...listFields(value, `${indent}  `)];
    if (!Array.isArray(value) || !value.some(isNested)) return [[field, plainText(inWords(value))]];
    return value.flatMap((each: unknown, index) => listFields({ [`${name} ${index + 1}`]: each }, indent));
  });
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function inWords(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.map(inWords).join(', ');
  return value === null || value === '' || isNested(value) ? '-' : String(value);
}
