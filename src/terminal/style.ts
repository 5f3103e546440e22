import { styleText } from 'node:util';

/** How a text stands out on a terminal. */
export type Emphasis = 'bold' | 'dim' | 'yellow' | 'boldGreen';

/** Writes a text with escape codes, or unchanged. */
export type Style = (emphasis: Emphasis, text: string) => string;

/** A style with colors, or one that changes nothing. */
export function createStyle(isColored: boolean): Style {
  if (!isColored) return (_, text) => text;
  return (emphasis, text) =>
    styleText(emphasis === 'boldGreen' ? ['bold', 'green'] : emphasis, text, { validateStream: false });
}

/** What decides about colors, by https://no-color.org and https://force-color.org. */
export interface ColorWishes {
  readonly NO_COLOR?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

/** Whether an output gets colors: a terminal, unless NO_COLOR is set; anything, where FORCE_COLOR is. */
export function wantsColor(isTerminal: boolean, { NO_COLOR = '', FORCE_COLOR = '', TERM }: ColorWishes): boolean {
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return !['0', 'false'].includes(FORCE_COLOR);
  return isTerminal && TERM !== 'dumb';
}
