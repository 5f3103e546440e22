import { renderBar } from '../../terminal/progress-line.js';
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

/**
 * Progress on one line. The figure `of` is the estimated total of the first figure and adds a bar: `publish
 * ██████░░░░░░░░░░░░░░  31%  published 194 of 623, feed deals`.
 */
export function renderProgress(name: string, { of, ...figures }: Figures): string {
  const [first, ...rest] = Object.entries(figures);
  if (first === undefined || typeof first[1] !== 'number' || typeof of !== 'number' || of <= 0)
    return `${name} ... ${renderFigures(figures)}`;
  const counts = renderFigures({ [first[0]]: `${first[1]} of ${of}`, ...Object.fromEntries(rest) });
  return `${name} ${renderBar(first[1], of)}  ${counts}`;
}
