import { expect, test } from 'vitest';
import { formatColumns } from './formatColumns.ts';
import { exportTables } from '../../src/export/registry.ts';

/** To write the file anew: npx vitest run formatColumns -u */
test('docs/generated/export-columns.md is what the tables say', async () => {
  await expect(formatColumns(exportTables)).toMatchFileSnapshot('../../docs/generated/export-columns.md');
});
