import { h, svg } from '../assets/dom.js';

/** @typedef {import('../assets/dom.js').Child} Child */

/**
 * Round marks of an axis, at most `most`, that enclose two figures.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 * @returns {readonly number[]} ascending, at least two
 */
export function roundMarks(low, high, most) {
  const span = high - low || Math.abs(high) / 10 || 1;
  for (let power = 10 ** Math.floor(Math.log10(span / most)); ; power *= 10) {
    for (const factor of [1, 2, 2.5, 4, 5]) {
      const step = factor * power;
      const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)];
      if (last - first + 1 <= most)
        return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
    }
  }
}

/** The width of a letter of the plots' labels, in pixels: a little too much rather than too little. */
const letter = 7.2;

/**
 * @typedef {object} Mark
 * @property {number} at
 * @property {string} name
 * @property {string} value
 * @property {string} kind its class
 */

/**
 * Marks on an axis, each with its label. Labels that would touch stand in rows of their own, joined to their mark.
 * @param {readonly Mark[]} marks
 * @param {{ readonly axis: readonly number[], readonly show: (figure: number) => string, readonly told: string,
 *   readonly range?: readonly [number, number] }} shown
 */
export function markedLine(marks, { axis, show, told, range }) {
  const figure = h('figure', { class: 'plotted' });
  let drawnFor = 0;
  const draw = (/** @type {number} */ available) => {
    // On paper and wide screens nothing is nearer than on this width.
    const width = Math.min(640, Math.max(260, Math.floor(available)));
    if (width === drawnFor) return;
    drawnFor = width;
    figure.replaceChildren(lineOf(width, marks, { axis, show, told, range }));
  };
  draw(Math.min(640, document.documentElement.clientWidth - 64));
  new ResizeObserver(([entry]) => draw(entry?.contentRect.width ?? 640)).observe(figure);
  return figure;
}

/**
 * @param {number} width in pixels
 * @param {readonly Mark[]} marks
 * @param {Omit<Parameters<typeof markedLine>[1], 'range'> &
 *   { readonly range: readonly [number, number] | undefined }} shown
 */
function lineOf(width, marks, { axis, show, told, range }) {
  const [least, most] = [axis[0] ?? 0, axis.at(-1) ?? 1];
  const inset = 26 / width;
  const share = (/** @type {number} */ figure) => inset + ((figure - least) / (most - least)) * (1 - 2 * inset);
  const at = (/** @type {number} */ figure) => percentOf(share(figure));
  const placed = placeLabels(marks, (figure) => share(figure) * width, width);
  const rows = Math.max(...placed.map(({ row }) => row)) + 1;
  const base = rows * 20 + 22;
  const from = range && share(range[0]);
  const wide = range && Math.max(share(range[1]) - share(range[0]), 12 / width);
  return svg(
    'svg',
    { class: 'plot', width: '100%', height: String(base + 36), role: 'img', 'aria-label': told },
    from !== undefined && wide !== undefined
      ? svg('rect', { class: 'range', x: percentOf(from), width: percentOf(wide), y: String(base - 7), height: '14' })
      : undefined,
    svg('line', { class: 'axis', x1: '0', x2: '100%', y1: String(base), y2: String(base) }),
    axis.map((mark) => [
      svg('line', { class: 'axis', x1: at(mark), x2: at(mark), y1: String(base), y2: String(base + 6) }),
      svg('text', { class: 'tick', x: at(mark), y: String(base + 22), 'text-anchor': 'middle' }, show(mark)),
    ]),
    placed.map(({ mark, row, start, anchor }) => {
      const y = base - 18 - row * 20;
      return svg(
        'g',
        { class: mark.kind },
        svg('line', { class: 'leader', x1: at(mark.at), x2: at(mark.at), y1: String(y + 4), y2: String(base) }),
        svg('circle', { cx: at(mark.at), cy: String(base), r: '6' }),
        svg(
          'text',
          { x: percentOf(start / width), y: String(y), 'text-anchor': anchor },
          `${mark.name} `,
          svg('tspan', { class: 'value' }, mark.value),
        ),
      );
    }),
  );
}

const percentOf = (/** @type {number} */ share) => `${(share * 100).toFixed(2)}%`;

/**
 * A row for each label, from the axis upwards, in which it touches no other one.
 * @param {readonly Mark[]} marks
 * @param {(figure: number) => number} place
 * @param {number} width
 */
function placeLabels(marks, place, width) {
  /** @type {(readonly [from: number, to: number])[][]} */
  const taken = [];
  const sorted = [...marks].sort((one, other) => one.at - other.at);
  return sorted.map((mark) => {
    const x = place(mark.at);
    const size = (mark.name.length + mark.value.length + 1) * letter;
    const from = Math.min(Math.max(0, x - size / 2), Math.max(0, width - size));
    const anchor = from === 0 ? 'start' : from + size >= width ? 'end' : 'middle';
    const start = anchor === 'start' ? 0 : anchor === 'end' ? width : x;
    // The line of a mark must cross no label either.
    const [least, most] = [Math.min(from, x) - 8, Math.max(from + size, x) + 8];
    let row = 0;
    while (taken[row]?.some(([left, right]) => least < right && most > left)) row += 1;
    for (let below = 0; below < row; below++) (taken[below] ??= []).push([x - 4, x + 4]);
    (taken[row] ??= []).push([least, most]);
    return { mark, row, start, anchor };
  });
}

/**
 * Two bars on one axis from 0, each with its value at its end, and a target as a labeled line.
 * @param {{ readonly name: string, readonly bars: readonly { readonly name: string, readonly kind: string,
 *   readonly value: string | null }[],
 *   readonly target?: { readonly value: string, readonly name: string }, readonly show: (figure: string) => string,
 *   readonly showMark?: (figure: number) => string }} chart
 */
export function bars({ name, bars: all, target, show, showMark = (mark) => show(String(mark)) }) {
  const values = all.flatMap(({ value }) => (value === null ? [] : [Number(value)]));
  if (values.length === 0) return undefined;
  const highest = Math.max(...values, Number(target?.value ?? 0));
  const axis = roundMarks(Math.min(0, ...values), highest, 5);
  const [least, most] = [axis[0] ?? 0, axis.at(-1) ?? 1];
  // The right end is free for the value of the longest bar.
  const share = (/** @type {number} */ figure) => (figure - least) / ((most - least) * 1.3) + (least < 0 ? 0.06 : 0);
  const at = (/** @type {number} */ figure) => percentOf(Math.max(0, share(figure)));
  const top = target === undefined ? 0 : 20;
  const bottom = top + all.length * 30;
  const told = all.map((bar) => `${bar.name} ${bar.value === null ? 'absent' : show(bar.value)}`);
  const goal = target === undefined ? [] : [`${target.name} ${show(target.value)}`];
  const label = `${name}: ${[...told, ...goal].join(', ')}`;
  return h(
    'figure',
    { class: 'plotted bars' },
    h('figcaption', {}, name),
    h(
      'div',
      { class: top === 0 ? 'bar-names' : 'bar-names with-target' },
      all.map((bar) => h('span', {}, bar.name)),
    ),
    svg(
      'svg',
      { class: 'plot', width: '100%', height: String(bottom + 24), role: 'img', 'aria-label': label },
      axis.map((mark) => [
        svg('line', { class: 'grid', x1: at(mark), x2: at(mark), y1: String(top), y2: String(bottom + 4) }),
        svg(
          'text',
          {
            class: 'tick',
            x: at(mark),
            y: String(bottom + 20),
            'text-anchor': mark === 0 && least === 0 ? 'start' : 'middle',
          },
          showMark(mark),
        ),
      ]),
      all.map(({ kind, value }, index) => {
        if (value === null) return undefined;
        const [from, to] = [Math.min(0, Number(value)), Math.max(0, Number(value))];
        const width = percentOf(Math.max(0.004, share(to) - share(from)));
        return svg('rect', { class: kind, x: at(from), width, y: String(top + 4 + index * 30), height: '22', rx: '3' });
      }),
      target && targetLine({ ...target, value: show(target.value) }, share(Number(target.value)), bottom),
      all.map(({ value }, index) => {
        const place = { x: at(Math.max(0, Number(value ?? 0))), dx: '8', y: String(top + 20 + index * 30) };
        return svg('text', { class: value === null ? 'tick' : 'value', ...place }, value === null ? '—' : show(value));
      }),
    ),
  );
}

/**
 * @param {{ readonly name: string, readonly value: string }} target
 * @param {number} share
 * @param {number} bottom
 */
function targetLine({ name, value }, share, bottom) {
  const x = percentOf(share);
  const anchor = share > 0.5 ? 'end' : share < 0.2 ? 'start' : 'middle';
  return [
    svg('line', { class: 'target', x1: x, x2: x, y1: '16', y2: String(bottom + 4) }),
    svg('text', { class: 'tick', x, y: '12', 'text-anchor': anchor }, `${name} ${value}`),
  ];
}

/**
 * A place from 0 to 100 among others, with the middle.
 * @param {string} percentile
 * @param {string} value
 * @param {string | null} median
 */
export function rankLine(percentile, value, median) {
  const at = (/** @type {number} */ rank) => percentOf(0.02 + rank * 0.0096);
  const rank = Number(percentile);
  const anchor = rank < 25 ? 'start' : rank > 75 ? 'end' : 'middle';
  const told = `This deal ${value}, percentile ${percentile}; median ${median ?? 'absent'}`;
  return svg(
    'svg',
    { class: 'plot rank', width: '100%', height: '62', role: 'img', 'aria-label': told },
    svg('line', { class: 'axis', x1: at(0), x2: at(100), y1: '30', y2: '30' }),
    [0, 50, 100].map((mark) => svg('line', { class: 'axis', x1: at(mark), x2: at(mark), y1: '24', y2: '36' })),
    svg('text', { class: 'tick', x: at(0), y: '52', 'text-anchor': 'start' }, '0'),
    svg('text', { class: 'tick', x: at(50), y: '52', 'text-anchor': 'middle' }, `median ${median ?? '—'}`),
    svg('text', { class: 'tick', x: at(100), y: '52', 'text-anchor': 'end' }, '100'),
    svg('circle', { class: 'hud', cx: at(rank), cy: '30', r: '7' }),
    svg('text', { class: 'value', x: at(rank), y: '14', 'text-anchor': anchor }, `this deal ${value}`),
  );
}

/**
 * A stepped line over days: a figure holds until the next one.
 * @param {readonly { readonly at: string, readonly value: string }[]} points ascending, at least two
 * @param {(figure: string) => string} show
 * @param {(time: string) => Child} showDay
 */
export function steps(points, show, showDay) {
  const times = points.map(({ at }) => Date.parse(at));
  const values = points.map(({ value }) => Number(value));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const axis = roundMarks(Math.min(...values), Math.max(...values), 5);
  const [least, most] = [axis[0] ?? 0, axis.at(-1) ?? 1];
  const x = (/** @type {number} */ time) => (first === last ? 0 : ((time - first) / (last - first)) * 100);
  const y = (/** @type {number} */ value) => 112 - ((value - least) / (most - least)) * 100;
  const path = values.map((value, index) => {
    const level = y(value).toFixed(1);
    return index === 0 ? `M0 ${level}` : `H${x(times[index] ?? first).toFixed(2)}V${level}`;
  });
  const told = points.map(({ value }) => show(value));
  return h(
    'figure',
    { class: 'plotted steps' },
    svg(
      'svg',
      { class: 'plot labels', width: '84', height: '124', 'aria-hidden': 'true' },
      axis.map((mark) =>
        svg('text', { class: 'tick', x: '78', y: String(y(mark) + 4), 'text-anchor': 'end' }, show(String(mark))),
      ),
    ),
    svg(
      'svg',
      {
        ...{ class: 'plot history', viewBox: '0 0 100 124', preserveAspectRatio: 'none', height: '124', role: 'img' },
        'aria-label': `From ${told[0]} to ${told.at(-1)}`,
      },
      axis.map((mark) =>
        svg('line', {
          ...{ class: 'grid', x1: '0', x2: '100', 'vector-effect': 'non-scaling-stroke' },
          ...{ y1: String(y(mark)), y2: String(y(mark)) },
        }),
      ),
      svg('path', { d: path.join(''), 'vector-effect': 'non-scaling-stroke' }),
    ),
    h('figcaption', {}, h('span', {}, showDay(points[0]?.at ?? '')), h('span', {}, showDay(points.at(-1)?.at ?? ''))),
  );
}
