import { expect, test } from 'vitest';
import type { ReportTable } from '../reportTable.ts';
import { sessionsCsv } from './reportData.ts';

test('cells that a spreadsheet would run as a formula are guarded', () => {
  const sessions: ReportTable = {
    id: 'sessions',
    title: 'Sessions',
    caption: '',
    columns: [{ label: 'session' }, { label: 'network' }, { label: 'stalls' }],
    rows: [
      ['=1+1', '\tx', -1],
      ['@SUM(A1)', null, 2],
    ],
  };
  expect(sessionsCsv({ sessions })).toBe(`session,network,stalls\r\n'=1+1,'\tx,-1\r\n'@SUM(A1),,2\r\n`);
});
