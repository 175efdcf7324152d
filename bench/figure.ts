import type { Interval } from '../src/analysis/statistics/intervals.ts';
import { plainTable } from '../node/textTable.ts';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** One measured number with what is asked of it. */
export interface Figure {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  /** 95 % interval of the value; null where it was measured once. */
  readonly interval: Interval | null;
  /** The value must not be greater; null for a figure that only informs. */
  readonly goalMax: number | null;
  /** The value must not be less; absent where only `goalMax` counts. */
  readonly goalMin?: number;
  /** What others need or reach, with its source; shown beside, never a goal. */
  readonly known?: string;
}

type Judged = Pick<Figure, 'value' | 'goalMax' | 'goalMin'>;

const isAsked = ({ goalMax, goalMin }: Judged): boolean => goalMax !== null || goalMin !== undefined;

/** "met", "NOT met", or nothing where nothing is asked. */
export function verdictOf(figure: Judged): string {
  if (!isAsked(figure)) return '';
  const { value, goalMax, goalMin = -Infinity } = figure;
  return value <= (goalMax ?? Infinity) && value >= goalMin ? 'met' : 'NOT met';
}

/** Figures as lines of text, the goal beside each measured value. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.label,
    `${formatNumber(figure.value)} ${figure.unit}`.trim(),
    figure.interval ? `${formatNumber(figure.interval[0])} to ${formatNumber(figure.interval[1])}` : '',
    formatGoal(figure),
    verdictOf(figure),
  ]);
  return [plainTable(['', 'measured', '95 % interval', 'goal', ''], rows), ...knownLines(figures)].join('\n');
}

function formatGoal({ goalMax, goalMin, unit }: Figure): string {
  if (goalMin !== undefined) return `≥ ${formatNumber(goalMin)} ${unit}`.trim();
  return goalMax === null ? '' : `≤ ${formatNumber(goalMax)} ${unit}`.trim();
}

const knownLines = (figures: readonly Figure[]): string[] => [
  ...new Set(figures.flatMap(({ known }) => (known ? [`  known: ${known}`] : []))),
];

/** Three significant digits, but every digit of a number of a hundred or more. */
export function formatNumber(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-GB');
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 3));
}

/** How many goals were met, and which were not. */
export function summary(figures: readonly Figure[]): string {
  const asked = figures.filter(isAsked);
  const missed = asked.filter((figure) => verdictOf(figure) !== 'met');
  if (missed.length === 0) return `\nAll ${asked.length} goals met.`;
  return `\n${asked.length - missed.length} of ${asked.length} goals met. NOT met: ${missed.map(({ label }) => label.trim()).join('; ')}.`;
}

/** Writes figures with what was measured on, so that two files can be held beside each other. */
export function writeFigures(file: string, figures: readonly Figure[], raw: object = {}): void {
  const machine = { cpu: cpus()[0]?.model ?? null, cores: cpus().length, node: process.version };
  const judged = figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) || null }));
  writeFileSync(
    file,
    `${JSON.stringify({ at: new Date().toISOString(), machine, figures: judged, raw }, null, 2)}\n`,
  );
}
