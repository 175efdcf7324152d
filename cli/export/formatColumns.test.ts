import { expect, test } from 'vitest';
import { markdownTable } from '../../node/textTable.ts';
import { exportTables } from '../../src/export/registry.ts';
import type { ExportTable } from '../../src/export/table.ts';

/** To write the file anew: npx vitest run formatColumns -u */
test('docs/generated/export-columns.md is what the tables say', async () => {
  await expect(formatColumns(exportTables)).toMatchFileSnapshot('../../docs/generated/export-columns.md');
});

/** The text of docs/generated/export-columns.md. */
const formatColumns = (tables: readonly ExportTable[]): string =>
  [INTRODUCTION, ...tables.map(sectionOf)].join('\n\n') + '\n';

function sectionOf({ id, about, columns }: ExportTable): string {
  const rows = columns.map(({ name, type, unit, meaning }) => [`\`${name}\``, type, unit, meaning]);
  return `## ${id}\n\n${formatSentence(about)}\n\n${markdownTable([['column', 'type', 'unit', 'meaning'], ...rows])}`;
}

const formatSentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

const INTRODUCTION = `# Columns of exported tables

This page lists the columns of the tables that \`pitwall export --format csv\` and \`--format parquet\` write ([export.md](../export.md)). It is
generated from \`src/export/tables/\`.

    pitwall export runs/NAME --format csv -o tables

- Join the tables by \`session\`.
- Times are ms of session time: 0 is \`startedAtUnixMs\` of the session.
- An empty cell means unknown; \`missing\` or \`why\` has the reason.
- In Parquet, \`text\` is UTF8, \`number\` DOUBLE, \`integer\` INT64, and every column may be null.`;
