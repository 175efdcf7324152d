import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { columnsFrom, pairedTable, type Column } from './pairedTable.ts';
import type { RuleReport } from './simTable.ts';
import { traceNetworks } from './traceNetworks.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-paired-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const traces = ['bus', 'car', 'tram'];
let files = 0;
const columns = (text: string) => {
  const file = path.join(folder, `${(files += 1)}.csv`);
  writeFileSync(file, text);
  return columnsFrom(file, { traces, chunks: 4 });
};

const report = (rule: string, qoe: readonly number[]) =>
  ({ rule, perTrace: qoe.map((qoePerChunk) => ({ qoePerChunk })) }) as unknown as RuleReport;

describe('columnsFrom', () => {
  it('takes sums of a session, in the order of the traces and not of the file', async () => {
    expect(await columns('trace,a,b\ntram,12,1\nbus,4,2\r\ncar,8,-2\nplane,1,1\n')).toEqual([
      { name: 'a', qoePerChunk: [1, 2, 3], resolution: 0.125 },
      { name: 'b', qoePerChunk: [0.5, -0.5, 0.25], resolution: 0.125 },
    ]);
  });

  it.each([
    ['\uFEFF"trace","a"\r\n"bus",4.25\r\n"car",8.0\r\n"tram","12"\r\n', 0.00125],
    ['trace,a\nbus,425e-2\ncar,8\ntram,12\n\n', 0.00125],
    ['trace,a\nbus,4.250\ncar,8\ntram,12\n', 0.000125],
  ])('knows to how many decimals %j is rounded', async (text, resolution) => {
    const [column] = await columns(text);
    expect(column).toEqual({
      name: 'a',
      qoePerChunk: [1.0625, 2, 3],
      resolution: expect.closeTo(resolution, 12) as number,
    });
  });

  it.each([
    ['trace,a\nbus,1\ncar,2\n', 'There is no line for the trace tram.'],
    ['trace,a\nbus,1\ncar,2\ntram,\n', '"" in the line of tram is not a number.'],
    ['trace,a\nbus,1\ncar,two\ntram,3\n', '"two" in the line of car is not a number.'],
    ['trace,a\nbus,1\ncar,2\nbus,3\ntram,4\n', '.csv, line 4: The trace bus has a second line.'],
    ['trace,a\nbus,"1\n', '.csv, character 13: It is no CSV: a quote has no partner.'],
    ['name,a\nbus,1\n', '.csv, line 1: There is no column trace.'],
    ['trace\nbus\n', 'The first line must name a column "trace" and one or more beside it.'],
  ])('refuses %j', async (text, why) => {
    await expect(columns(text)).rejects.toThrow(why);
  });
});

/** The lines of a table of a rule against columns, on traces of these names. */
function linesOf(own: readonly number[], columns: readonly Column[], names = own.map((_, at) => `t${at}`)) {
  const networks = traceNetworks(names);
  return pairedTable({ reports: [report('mine', own)], columns, networks, seed: 1 }).split('\n');
}

describe('pairedTable', () => {
  const lines = pairedTable({
    reports: [report('mine', [1, 2, 3, 4, 5, 6]), report('other', [0, 1.2, 1.9, 3.5, 4.4, 6])],
    columns: [{ name: 'published', qoePerChunk: [2, 3, 4, 5, 6, 7], resolution: 0 }],
    networks: traceNetworks(['a', 'b', 'c', 'd', 'e', 'f']),
    seed: 1,
  }).split('\n');

  it('sets the first rule against the others and the columns, trace by trace', () => {
    expect(lines[0]).toMatch(/^ {2}mine minus +QoE\/chunk/);
    expect(lines[1]).toMatch(/^ {2}other +\+0\.667 +[+−]0\.\d{3} … \+1\.\d{3} +5 of 6 +1 +/);
    expect(lines[2]).toMatch(/^ {2}published +−1\.000 +– +0 of 6 +0 +/);
  });

  it('gives the exact p of six differences of one sign: 2 of 64 patterns', () => {
    expect(lines[2]).toMatch(/0\.0313$/);
  });

  const sums = [
    69.849_999_999_999_98, 45.150_000_000_000_02, -0.000_4, 26.699_999_999_999_99, 40.95, 12.345_6,
  ];
  const own = sums.map((sum) => sum / 47);

  it('finds no difference between a rule and its own results in three decimals', () => {
    const qoePerChunk = sums.map((sum) => Number(sum.toFixed(3)) / 47);
    const [, line] = linesOf(own, [{ name: 'self', qoePerChunk, resolution: 0.0005 / 47 }]);
    expect(line).toMatch(/^ {2}self +0\.000 +– +0 of 6 +6 +1\.0000$/);
  });

  it('finds no difference in what rounding leaves of sums', () => {
    const qoePerChunk = sums.map((sum) => (sum + 1e-13) / 47);
    const [, line] = linesOf(own, [{ name: 'noise', qoePerChunk, resolution: 0 }]);
    expect(line).toMatch(/^ {2}noise +0\.000 +– +0 of 6 +6 +1\.0000$/);
  });

  it('still finds what is larger than the rounding', () => {
    const qoePerChunk = sums.map((sum) => (sum + 0.000_6) / 47);
    const [, line] = linesOf(own, [{ name: 'worse', qoePerChunk, resolution: 0.0005 / 47 }]);
    expect(line).toMatch(/0 of 6 +0 +0\.0313$/);
  });

  it('counts a household once, however many traces it has', () => {
    const names = Array.from({ length: 60 }, (_, at) => `trace_${at % 6}_http---www.ebay.com_${at}`);
    const differences = names.map((_, at) => 1 + (at % 6) + (at % 5) / 10);
    const column = { name: 'zero', qoePerChunk: names.map(() => 0), resolution: 0 };
    const [, byHousehold] = linesOf(differences, [column], names);
    expect(byHousehold).toMatch(/6 of 6 +0 +0\.0313$/);
    const [, byTrace] = linesOf(differences, [column]);
    expect(byTrace).toMatch(/60 of 60 +0 +\de-1\d$/);
    const means = Array.from({ length: 6 }, (_, at) => 1 + at + 0.2);
    const [, ofMeans] = linesOf(means, [{ ...column, qoePerChunk: means.map(() => 0) }]);
    expect(byHousehold).toBe(ofMeans);
  });
});
