import { bareTable } from '../../experiment/report/html/tableHtml.ts';
import { markup, trusted, type Markup } from '../../experiment/report/html/markup.ts';
import type { ReportTable } from '../../experiment/report/reportTable.ts';
import { markdownTable, textTable } from '../../node/textTable.ts';
import type { TrialReport } from '../tell/trialReport.ts';
import { looksFigures } from './looksFigures.ts';
import { reportParts, type ReportPart } from './reportParts.ts';

const COLUMNS = 100;

/** The report as text for a terminal. */
export const formatText = (report: TrialReport): string =>
  [`Trial ${report.trial.name}`, ...reportParts(report).map(partText)].join('\n\n');

function partText({ heading, lines, table }: ReportPart): string {
  return [
    heading,
    ...lines.flatMap((line) => wrap(line)),
    ...(table === null ? [] : [textTable(table, { left: 2, gap: '  ', indent: '  ' })]),
  ].join('\n');
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** The report as Markdown. */
export const formatMarkdown = (report: TrialReport): string =>
  `${[`# Trial ${report.trial.name}`, ...reportParts(report).map(partMarkdown)].join('\n\n')}\n`;

const partMarkdown = ({ heading, lines, table }: ReportPart): string =>
  [
    `## ${heading}`,
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${plain(line)}`).join('\n')]),
    ...(table === null ? [] : [markdownTable(table.map((row) => row.map(plain)))]),
  ].join('\n\n');

/** No name from outside is markup. */
const plain = (text: string): string => text.replace(/[\\`*_<>[\]#]/g, (character) => `\\${character}`);

/** The report as data: everything that the parts are made of. */
export function formatJson({ trial, ...report }: TrialReport): string {
  return `${JSON.stringify({ schema: 'pitwall-trial-report/1', trial: { ...trial, salt: undefined }, ...report }, withoutFunctions, 2)}\n`;
}

/** A metric is its id; maps are objects. */
function withoutFunctions(key: string, value: unknown): unknown {
  if (key === 'metric' && typeof value === 'object' && value !== null) return (value as { id: string }).id;
  return value instanceof Map ? Object.fromEntries(value) : value;
}

/** Pictures are as wide as a phone, side by side where the page is wider. */
const figuresHtml = (report: TrialReport): Markup =>
  markup`<div class="figures">${looksFigures(report).map((figure) => markup`<figure><div class="picture">${trusted(figure)}</div></figure>`)}</div>`;

/** Columns of words stand left: those whose first cell is no number. */
const htmlTable = (
  id: string,
  title: string,
  [head, ...rows]: NonNullable<ReportPart['table']>,
): ReportTable => ({
  id,
  title,
  caption: '',
  columns: (head ?? []).map((label, column) => ({
    label,
    isText: /^[^\d+−–]/.test(rows[0]?.[column] ?? ''),
  })),
  rows,
});

/** The report as one HTML file that asks for nothing. */
export function formatHtml(report: TrialReport, styles: string): string {
  const parts = reportParts(report);
  return `${
    markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
<title>${report.trial.name} · Pitwall trial</title>
<style>${trusted(styles)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the verdict</a>
<header class="top"><p class="brand">Pitwall</p><p class="name">Trial ${report.trial.name}</p>
<nav aria-label="Parts of the report">${parts.map(({ id }) => markup`<a href="#${id}">${id.charAt(0).toUpperCase()}${id.slice(1)}</a>`)}</nav></header>
<main>
${parts.map(
  ({ id, heading, lines, table }) => markup`<section id="${id}"><h2>${heading}</h2>
${lines.map((line) => markup`<p>${line}</p>`)}
${id === 'looks' ? figuresHtml(report) : null}
${table === null ? null : bareTable(htmlTable(id, heading, table))}
</section>`,
)}
</main>
<footer>Made by Pitwall from ${report.sessions} sessions of viewers. The same data give the same report.</footer>
</body>
</html>`.text
  }\n`;
}
