import { markdownTable } from '../markdownTable.ts';
import type { ExportTable } from '../../src/export/table.ts';

/** The text of docs/export-columns.md. */
export const formatColumns = (tables: readonly ExportTable[]): string =>
  [INTRODUCTION, ...tables.map(sectionOf)].join('\n\n') + '\n';

function sectionOf({ id, about, columns }: ExportTable): string {
  const rows = columns.map(({ name, type, unit, meaning }) => [`\`${name}\``, type, unit, meaning]);
  return `## ${id}\n\n${formatSentence(about)}\n\n${markdownTable([['column', 'type', 'unit', 'meaning'], ...rows])}`;
}

const formatSentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

const INTRODUCTION = `# Columns of exported tables

The tables of \`pitwall export --format csv\` and \`--format parquet\` ([export.md](export.md)); made from \`src/export/tables/\`.

Tables are joined by \`session\`. Times are ms of session time: 0 is \`startedAtUnixMs\` of the session. A cell without a value is
unknown; \`missing\` or \`why\` says why. In Parquet \`text\` is UTF8, \`number\` DOUBLE, \`integer\` INT64, and every column may be null.`;
