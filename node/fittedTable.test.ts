import { describe, expect, test } from 'vitest';
import { fittedTable, type NamedTable } from './fittedTable.ts';
import { textTable } from './textTable.ts';

const table: NamedTable = {
  head: ['rule', 'transport', 'network / content', 'mean bitrate, kbit/s', 'join time, ms', 'QoE linear'],
  rows: [
    ['bola', 'h2', 'a-network-with-a-long-name-1/demo', '2346', '1458', '1.25'],
    ['bola', 'h3-only', 'a-network-with-a-long-name-1/demo', '4206', '86', '2.5'],
    ['bola', 'h2', 'a-network-with-a-long-name-2/demo', '588', '12345', '0.1'],
  ],
  names: 3,
};
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));
const words = (text: string): string[] => text.split(/[\s:]+/).filter((word) => word !== '');

describe('a table for a terminal', () => {
  test('is the plain one where that has place', () =>
    expect(fittedTable(table, 120)).toBe(
      textTable([table.head, ...table.rows], { left: 3, gap: '  ', indent: '' }),
    ));

  test('has common names above it, and heads of several lines', () => {
    const columns = 78;
    const text = fittedTable(table, columns);
    expect(text).toBe(
      [
        'The same in all rows:',
        '  rule: bola',
        '',
        ...[
          '                                                  mean   join',
          '                                              bitrate,  time,     QoE',
          'transport  network / content                    kbit/s     ms  linear',
        ],
        'h2         a-network-with-a-long-name-1/demo      2346   1458    1.25',
        'h3-only    a-network-with-a-long-name-1/demo      4206     86     2.5',
        'h2         a-network-with-a-long-name-2/demo       588  12345     0.1',
      ].join('\n'),
    );
    expect(widest(text)).toBeLessThanOrEqual(columns);
  });

  test('has headings for the widest names, and what is left in a further table', () => {
    const text = fittedTable(table, 36);
    expect(text).toBe(
      [
        ...[
          'The same in all rows:',
          '  rule: bola',
          '',
          'Each line with — names the network / content of the rows below it.',
          '',
        ],
        ...[
          '               mean   join',
          '           bitrate,  time,     QoE',
          'transport    kbit/s     ms  linear',
        ],
        '— a-network-with-a-long-name-1/demo',
        ...['h2             2346   1458    1.25', 'h3-only        4206     86     2.5'],
        '— a-network-with-a-long-name-2/demo',
        'h2              588  12345     0.1',
      ].join('\n'),
    );
    const narrow = fittedTable(table, 28);
    expect(narrow.split('\n\n')).toHaveLength(4);
    expect(narrow.match(/a-network-with-a-long-name-2/g)).toHaveLength(2);
  });

  test.each([20, 30, 40, 60, 80])('of %i columns loses no word', (columns) => {
    const text = words(fittedTable(table, columns));
    for (const word of [...table.head, ...table.rows.flat()].flatMap(words)) expect(text).toContain(word);
  });

  test('a row keeps a name, and a table of one row has no common ones', () => {
    const one = { ...table, rows: table.rows.slice(0, 1) };
    expect(fittedTable(one, 40)).not.toContain('The same');
    const alike = {
      head: ['rule', 'value'],
      rows: [
        ['bola', '1'.repeat(50)],
        ['bola', '2'],
      ],
      names: 1,
    };
    expect(fittedTable(alike, 30)).toContain('bola');
  });
});
