import { describe, expect, it } from 'vitest';
import { errorOf, piecesOf } from './trace.testing.ts';
import { readTrace } from './readTrace.ts';
import { traceFormats } from './registry.ts';
import { faultsOf } from '../../shared/registry.ts';

/** One file of each format, as a user would have it. */
const EXAMPLES: Readonly<Record<string, string>> = {
  cooked: '0.0\t4.03\n0.55\t4.79\n0.88\t4.49\n',
  pairs: '0 4030\n1000 4790\n2000 4490\n',
  mahimahi: '0\n3\n3\n17\n',
  sabre: '[{"duration_ms": 1000, "bandwidth_kbps": 900, "latency_ms": 20}]',
  csv: 'time_s,rate_kbps\n0,800\n1,500\n',
  fcc: 'unit_id,dtime,target,bytes_sec\n7,2016-06-01 00:01:02,a,125000\n',
  pitwall: '{"schema": "pitwall-trace/1", "pieces": [{"durationMs": 1000, "rateKbps": 800}]}',
};

const candidatesOf = (text: string): string[] =>
  traceFormats.filter((format) => format.looksLike(text)).map(({ id }) => id);

describe('the formats of traces', () => {
  it('are a registry without faults, each with an example here', () => {
    expect(faultsOf(traceFormats)).toEqual([]);
    expect(Object.keys(EXAMPLES).sort()).toEqual(traceFormats.map(({ id }) => id).sort());
  });

  it.each(Object.entries(EXAMPLES))('%s is distinguished from all others', (id, text) => {
    expect(candidatesOf(text)).toEqual([id]);
    expect(piecesOf(readTrace(text, { name: 'x' })).length).toBeGreaterThan(0);
  });

  it.each(Object.entries(EXAMPLES))(
    '%s is distinguished from all others with a broken line in it',
    (id, text) => {
      const broken = id === 'cooked' || id === 'pairs' || id === 'mahimahi' ? `${text}oops\n` : `${text}}`;
      expect(candidatesOf(broken)).toEqual([id]);
    },
  );
});

describe('readTrace', () => {
  it('refuses a text that may be two formats, and reads it when the format is given', () => {
    const text = '0 50\n30 60\n60 40\n';
    expect(errorOf(readTrace(text, { name: 'x' }))).toBe(
      'x: The format may be cooked or pairs; name it (--format).',
    );
    expect(piecesOf(readTrace(text, { name: 'x', format: 'cooked' }))[0]).toEqual([30_000, 60_000]);
    expect(piecesOf(readTrace(text, { name: 'x', format: 'pairs' }))[0]).toEqual([30, 50]);
  });

  it('takes steps of seconds for cooked and steps of many ms for pairs', () => {
    expect(candidatesOf('0 100\n5 120\n10 90\n')).toEqual(['cooked']);
    expect(candidatesOf('0 100\n100 120\n200 90\n')).toEqual(['pairs']);
    expect(candidatesOf('0 1.5\n100 2.5\n200 1.5\n'), 'no rate in kbit/s').toEqual(['cooked']);
    expect(candidatesOf('0 20000\n1 30000\n'), 'neither Mbit/s nor ms').toEqual([]);
  });

  it.each([
    ['', 'x: The file is empty.'],
    [' \r\n \n', 'x: The file is empty.'],
    ['hello\n', 'x: It looks like no format known here (cooked, csv, fcc, mahimahi, pairs, pitwall, sabre).'],
  ])('refuses %j', (text, sentence) => expect(errorOf(readTrace(text, { name: 'x' }))).toBe(sentence));

  it('refuses a mean above 1 Gbit/s, unless the format was asked for', () => {
    const text = '0 3000\n1 1500\n2 800\n3 2200\n';
    expect(errorOf(readTrace(text, { name: 'x' }))).toBe(
      'x: Read as cooked (lines of "seconds Mbit/s"; a rate held up to its time) it carries 1500 Mbit/s on average. If that is right, name the format (--format cooked); else write its rates in another unit.',
    );
    expect(piecesOf(readTrace(text, { name: 'x', format: 'cooked' }))).toHaveLength(3);
    expect(errorOf(readTrace('time_s,rate_mbps\n0,3000\n1,1500\n', { name: 'x' }))).toContain('2250 Mbit/s');
    expect(piecesOf(readTrace('0 900\n1 1000\n', { name: 'x' }))).toEqual([[1000, 1e6]]);
    const own = '{"schema": "pitwall-trace/1", "pieces": [{"durationMs": 1000, "rateKbps": 2e6}]}';
    expect(piecesOf(readTrace(own, { name: 'x' }))).toEqual([[1000, 2e6]]);
  });

  it('names the formats when asked for one it does not know', () =>
    expect(errorOf(readTrace('1', { name: 'x', format: 'magic' }))).toBe(
      'Unknown format "magic"; known: cooked, csv, fcc, mahimahi, pairs, pitwall, sabre.',
    ));
});
