import type { Figures } from '../socket/operator-commands.js';

/** Figures on one line: `rows 628, rejected 13`. Empty values are omitted. */
export function renderFigures(figures: Figures): string {
  return Object.entries(figures)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${inWords(name)} ${value}`)
    .join(', ');
}

/** `rawRecords` becomes `raw records`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
