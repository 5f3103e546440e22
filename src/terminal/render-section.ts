/** Characters per line. */
const width = 100;

/** A title and its rows, with the last column wrapped and indented. Empty when there are no rows. */
export function renderSection(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const indent = 2 + widths.reduce((sum, each) => sum + each + 2, 0);
  const lines = rows.flatMap((row) => {
    const head = widths.map((each, column) => `${(row[column] ?? '').padEnd(each)}  `).join('');
    const [first = '', ...more] = wrapText(row[columns - 1] ?? '', width - indent);
    return [`  ${head}${first}`, ...more.map((line) => ' '.repeat(indent) + line)];
  });
  return [...(title === '' ? [] : [title]), ...lines].map((line) => `${line.trimEnd()}\n`).join('');
}

/** Lines of at most `most` characters, except for a longer word. */
export function wrapText(text: string, most: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
