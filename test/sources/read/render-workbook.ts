import { strToU8, zipSync } from 'fflate';

type Cell = string | number;

export const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A sheet as spreadsheet programs write it; texts are in a separate list, by number. */
export function renderSheet(lines: readonly (readonly Cell[])[], texts: string[]): string {
  const rows = lines.map((line, row) => {
    const cells = line.map((cell, column) => {
      const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
      return typeof cell === 'number'
        ? `<c ${place}><v>${cell}</v></c>`
        : `<c ${place} t="s"><v>${texts.push(cell) - 1}</v></c>`;
    });
    return `<row r="${row + 1}">${cells.join('')}</row>`;
  });
  return `<worksheet ${main}><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

/** A workbook of these sheets; `replace` substitutes the bytes of its parts. */
export function renderWorkbook(
  sheets: readonly (readonly (readonly Cell[])[])[],
  replace: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array {
  const texts: string[] = [];
  const numbered = sheets.map((lines, index) => ({ number: index + 1, xml: renderSheet(lines, texts) }));
  const list = numbered.map(({ number }) => `<sheet name="Sheet ${number}" sheetId="${number}" r:id="rId${number}"/>`);
  const relations = [...numbered.map(({ number }) => `worksheets/sheet${number}.xml`), 'sharedStrings.xml'].map(
    (target, index) => {
      const type = `${documents}/${target.includes('/') ? 'worksheet' : 'sharedStrings'}`;
      return `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`;
    },
  );
  const parts = {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${documents}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}">${relations.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst ${main}>${texts.map((text) => `<si><t>${escape(text)}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(numbered.map(({ number, xml }) => [`xl/worksheets/sheet${number}.xml`, xml])),
  };
  const bytes = Object.fromEntries(Object.entries(parts).map(([part, text]) => [part, strToU8(text)]));
  return zipSync({ ...bytes, ...replace }, { level: 1 });
}
