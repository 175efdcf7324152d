import { expect, test } from 'vitest';
import { columnsText } from './columnsText.ts';
import { exportTables } from '../../src/export/registry.ts';

/** To write the file anew: npx vitest run columnsText -u */
test('docs/export-columns.md is what the tables say', async () => {
  await expect(columnsText(exportTables)).toMatchFileSnapshot('../../docs/export-columns.md');
});
