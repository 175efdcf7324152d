import { verdictOf, type Figure } from './figure.ts';
import { plainTable } from '../node/textTable.ts';

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
