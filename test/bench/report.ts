import { cpus } from 'node:os';

/** One figure of the benchmark. */
export interface Figure {
  /** What is measured, unique in a report. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same figure of bare node:http in the same run. */
  readonly floor?: number;
  readonly goal?: Goal;
}

/** A limit of a figure, or of its ratio to the floor where it has one. */
export interface Goal {
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
}

/** What `--json` writes. */
export interface ReportFile {
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  readonly figures: readonly Figure[];
}

/** Prints the figures of a run, each in one line, and keeps them. */
export interface Report {
  title(text: string): void;
  figure(figure: Figure): void;
  /** What the run is busy with. */
  progress(text: string): void;
  file(): ReportFile;
}

export const atMost = (limit: number): Goal => ({ bound: 'at most', limit });
export const atLeast = (limit: number): Goal => ({ bound: 'at least', limit });

export function createReport(out: (line: string) => void, progress: (line: string) => void): Report {
  const figures = new Map<string, Figure>();
  return {
    title: (text) => out(`\n${text}`),
    progress: (text) => progress(`  ${text} ...`),
    figure(figure) {
      if (figures.has(figure.name)) throw new Error(`The figure is there twice: ${figure.name}`);
      figures.set(figure.name, figure);
      out(describeFigure(figure));
    },
    file: () => {
      const [{ model = 'unknown' } = {}] = cpus();
      return { node: process.version, processor: model, cores: cpus().length, figures: [...figures.values()] };
    },
  };
}

/** A figure as a line: its name, value and unit, its ratio to the floor, its goal. */
export function describeFigure({ name, value, unit, floor, goal }: Figure): string {
  const ratio = floor === undefined ? '' : `  ${(value / floor).toFixed(2)} x ${digits(floor)}`;
  const judged = floor === undefined ? value : value / floor;
  const isMet = goal !== undefined && (goal.bound === 'at most' ? judged <= goal.limit : judged >= goal.limit);
  const verdict = goal === undefined ? '' : `  (goal: ${goal.bound} ${goal.limit}; ${isMet ? 'met' : 'MISSED'})`;
  return `  ${name.padEnd(58)}${digits(value).padStart(10)} ${unit}${ratio}${verdict}`;
}

/** Three figures that count, without an exponent. */
function digits(value: number): string {
  const places = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toFixed(places);
}

/**
 * The ratios of a later run to an earlier one, a line for each figure that both have. Where a figure has a floor, that
 * of its ratio to the floor: two runs differ in their machine, too.
 */
export function compareReports(earlier: ReportFile, later: ReportFile): string[] {
  const before = new Map(earlier.figures.map((figure) => [figure.name, figure]));
  const machine = [earlier, later].map(({ processor, cores, node }) => `${processor}, ${cores} cores, Node ${node}`);
  return [
    ...new Set(machine),
    ...later.figures.flatMap((figure) => {
      const known = before.get(figure.name);
      if (known === undefined) return [];
      const [was, is] = [known, figure].map(({ value, floor }) => value / (floor ?? 1)) as [number, number];
      const unit = figure.floor === undefined ? figure.unit : 'x floor';
      return [
        `  ${figure.name.padEnd(58)}${digits(was).padStart(10)} ->${digits(is).padStart(10)} ${unit}, ${digits(is / was)} x`,
      ];
    }),
  ];
}
