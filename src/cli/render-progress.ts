import type { Figures } from '../door/desk.js';
import { renderFigures } from './render-figures.js';

const cells = 20;

/**
 * Progress on one line. Where the figures say `of`, about how many of the first one it will be, with a bar:
 * `publish ██████░░░░░░░░░░░░░░  31%  published 194 of 623, feed deals`.
 */
export function renderProgress(name: string, { of, ...figures }: Figures): string {
  const [first, ...rest] = Object.entries(figures);
  if (first === undefined || typeof first[1] !== 'number' || typeof of !== 'number' || of <= 0)
    return `${name} ... ${renderFigures(figures)}`;
  // It was more before, or it is more now: the bar ends where it ends.
  const share = Math.min(1, first[1] / of);
  const full = Math.floor(share * cells);
  const bar = '\u2588'.repeat(full) + '\u2591'.repeat(cells - full);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const counts = renderFigures({ [first[0]]: `${first[1]} of ${of}`, ...Object.fromEntries(rest) });
  return `${name} ${bar} ${percent}  ${counts}`;
}
