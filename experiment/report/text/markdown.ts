import { answerOf, formatCounts, type ReportModel } from '../model/reportModel.ts';
import { networkTable, verdictTable } from '../model/verdictTables.ts';
import { formatCell, columnNames, type ReportTable } from '../reportTable.ts';
import { verdictLook } from '../verdictLook.ts';

/** A report as Markdown, for a pull request or a notebook: everything but pictures and the list of sessions. */
export function reportMarkdown(model: ReportModel): string {
  const { design, registration, warnings, ran, fairness, notes, scope, verdicts, primary } = model;
  const byNetwork = networkTable(verdicts, primary);
  return [
    ...opening(model),
    ...warnings.map((text) => `> **Note:** ${plain(text)}`),
    `## Verdict on ${primary.label}`,
    `The verdicts are about ${plain(scope)}.`,
    verdicts
      .flatMap(({ verdict, sentence, leftOut, robustTo = [] }) => [
        `- **${verdictLook(verdict).word}**: ${plain(sentence)}${leftOut === null ? '' : ` ${plain(leftOut)}`}`,
        ...robustTo.map((variant) => `  - ${plain(variant.sentence)}`),
      ])
      .join('\n'),
    formatTable(verdictTable(verdicts, primary), 3),
    ...(byNetwork === null ? [] : [formatTable(byNetwork, 3)]),
    '## Design',
    [...design, ...(registration ? [{ term: 'Registration', text: registration.sentence }] : [])]
      .map(({ term, text }) => `- **${term}**: ${plain(text)}`)
      .join('\n'),
    formatTable(ran, 3),
    ...(model.tries ? [formatTable(model.tries, 3)] : []),
    '## Environment and fairness',
    [fairness.sentence, ...notes].map(plain).join('\n\n'),
    formatGrid(fairness.table),
    ...[
      model.cells,
      ...[model.steering, model.aa, model.blocks].filter((table) => table !== undefined),
      ...model.thesis,
      ...paperTables(model),
      model.exploratory,
      ...(model.variants ?? []).flatMap(({ tables }) => tables),
    ].map((table) => formatTable(table, 2)),
    '',
  ].join('\n\n');
}

/** The answer comes first: what was found, and for what it holds. */
function opening(model: ReportModel): readonly string[] {
  const { campaign, question, scope } = model;
  const [answer, ...others] = answerOf(model).claims.map(plain);
  return [
    `# ${answer}`,
    ...(others.length === 0 ? [] : [others.map((claim) => `- ${claim}`).join('\n')]),
    `This is about ${plain(scope)}. ${formatCounts(model)}`,
    `**${plain(question)}** ${plain(campaign.about ?? '')}`.trim(),
  ];
}

/** Figures that are tables in their papers. Their first columns are words. */
const paperTables = ({ figures }: ReportModel): ReportTable[] =>
  figures
    .filter(({ isTable }) => isTable)
    .map(({ id, title, caption, columns, rows }) => ({
      id,
      title,
      caption,
      rows,
      columns: columns.map((label, place) => ({
        label,
        isText: rows.some((row) => typeof row[place] === 'string'),
      })),
    }));

const formatTable = (table: ReportTable, level: 2 | 3): string =>
  `${'#'.repeat(level)} ${plain(table.title)}\n\n${plain(table.caption)}\n\n${formatGrid(table)}`;

/** A table as Markdown, numbers to the right. */
export function formatGrid(table: Pick<ReportTable, 'columns' | 'rows'>): string {
  const lines = [
    columnNames(table),
    table.columns.map(({ isText }) => (isText ? '---' : '---:')),
    ...table.rows.map((row) => row.map((cell, index) => formatCell(cell, table.columns[index]!))),
  ];
  return lines.map((cells) => `| ${cells.map(plain).join(' | ')} |`).join('\n');
}

/** Text for Markdown. Names come from outside: none may end a cell, begin a tag or a link. */
export const plain = (text: string): string =>
  text.replace(/[\\`*_[\]<>|]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`)).replace(/\s+/g, ' ');
