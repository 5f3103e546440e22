import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of a file at the project's root, found from the source and from the compiled tree alike. */
export function findProjectFile(name: string): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error(`No project root above ${fileURLToPath(import.meta.url)}`);
    directory = parent;
  }
  return join(directory, name);
}

/**
 * The rows of a CSV file of the project without quotes, whose first lines, with a `#`, say where its data is from.
 * `columns` has the header's names in their order, each with the pattern of its values. Throws where the file is
 * anything else.
 */
export function readTable<Column extends string>(
  name: string,
  columns: Readonly<Record<Column, RegExp>>,
): readonly Readonly<Record<Column, string>>[] {
  const names = Object.keys(columns) as Column[];
  const lines = readFileSync(findProjectFile(name), 'utf8').trimEnd().split('\n');
  const [header, ...rows] = lines.filter((line) => !line.startsWith('#'));
  if (header !== names.join()) throw new Error(`${name} must have the columns ${names.join()}.`);
  return rows.map((row) => {
    const values = row.split(',');
    const isValid = names.every((column, index) => columns[column].test(values[index] ?? ','));
    if (!isValid || values.length !== names.length) throw new Error(`${name} has a row that is not valid: ${row}`);
    return Object.fromEntries(names.map((column, index) => [column, values[index]])) as Record<Column, string>;
  });
}

/**
 * Makes a directory and those above it that are missing; nothing where it is there. Node's own recursive form never
 * ends in a file system that takes no directory, such as /proc.
 */
export function makeDirectory(path: string, mode = 0o777): void {
  const above = dirname(resolve(path));
  if (!existsSync(above)) makeDirectory(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
