import { describe, expect, it } from 'vitest';
import { csv } from './csv.ts';
import { errorOf, piecesOf } from './trace.testing.ts';

const TWO = [
  [1000, 800],
  [2000, 500],
];

describe('CSV', () => {
  it.each([
    ['time_s,rate_kbps\n0,800\n1,500\n'],
    ['time_ms;rate_mbps\r\n0;0.8\r\n1000;0.5\r\n'],
    ['Timestamp (s)\tThroughput [bit/s]\n5\t800000\n6\t500000\n'],
    ['end_s,bandwidth_bytes_s\n1,100000\n2,62500\n'],
    ['"duration_s","note","rate_kbit_s"\n1,"a ""b"", c",800\n1,,"500"\n'],
  ])('reads %j', (text) => expect(piecesOf(csv.read(text, 'x'))).toEqual(TWO));

  it.each([
    ...['rate_Mbps', 'Throughput (Mbit/s)', 'bw_mbps', 'RATE_MBIT_S', 'rate_Mb_s'].map((name) => [name, 0.8]),
    ...['rate_MBps', 'Bandwidth (MBps)', 'rate_MB_s', 'Rate [MB/s]', 'rate_mbytes_s'].map((name) => [
      name,
      0.1,
    ]),
    ...['rate_kbps', 'rate_Kbps', 'rate_kbits_s'].map((name) => [name, 800]),
    ...['rate_kBps', 'rate_KBps', 'Rate (kB/s)', 'rate_kBytes_sec'].map((name) => [name, 100]),
    ...['rate_bps', 'rate_bit_s'].map((name) => [name, 800_000]),
    ...['rate_Bps', 'Rate (B/s)', 'RATE_BYTES_S'].map((name) => [name, 100_000]),
    ...['rate_Gbps'].map((name) => [name, 0.0008]),
  ] as const)('knows bits from bytes: 800 kbit/s as %s are %d', (name, rate) =>
    expect(piecesOf(csv.read(`duration_s;${name}\n1;${rate}\n`, 'x'))).toEqual([[1000, 800]]),
  );

  it.each([
    [
      'RATE_MBPS',
      'x, line 1, column 1: A rate in MBPS may be in bits or in bytes: call it rate_mbit_s or rate_mbytes_s.',
    ],
    [
      'BW_BPS',
      'x, line 1, column 1: A rate in BPS may be in bits or in bytes: call it bw_bit_s or bw_bytes_s.',
    ],
    [
      'Rate (kb/s)',
      'x, line 1, column 1: A rate in kb_s may be in bits or in bytes: call it rate_kbit_s or rate_kbytes_s.',
    ],
  ])('refuses %s, which may be either', (name, sentence) =>
    expect(errorOf(csv.read(`time_s;${name}\n0;1\n1;1\n`, 'x'))).toBe(sentence),
  );

  it('reads the RTT where it is', () =>
    expect(piecesOf(csv.read('duration_ms,rate_kbps,rtt_ms\n1000,800,20\n', 'x'))).toEqual([
      [1000, 800, 20],
    ]));

  it.each([
    ['time_s,rate_kbps\n0,800\n1,\n', 'x, line 3, column 3: The column rate_kbps is empty.'],
    ['time_s,rate_kbps\n0,800\n1\n', 'x, line 3, column 1: The column rate_kbps is empty.'],
    ['time_s,rate_kbps\n0,8\n2,x\n', 'x, line 3, column 3: rate_kbps is "x", which is not a number.'],
    ['time_s,rate_kbps\n0,8\n2,-1\n', 'x, line 3, column 3: rate_kbps is -1; it cannot be negative.'],
    ['time_s,rate_kbps\n2,8\n0,1\n', 'x, line 3, column 1: Time goes from 2 s to 0 s; it must rise.'],
    ['duration_s,rate_kbps\n1,8\n0,1\n', 'x, line 3, column 1: A piece lasts 0 ms; it must last longer.'],
    ['time_s,rate_kbps\n', 'x: It needs two lines or more: each lasts until the time of the next.'],
    [
      'end_s,rate_kbps\n1700000001,800\n1700000002,500\n',
      'x, line 2, column 1: The first piece would last from 0 to 1700000001 s, and no other is longer than 1 s: count the end from the beginning of the trace, or give each duration.',
    ],
    ['duration_s,rate_kbps\n1,0\n', 'x: Every rate is 0: nothing would ever arrive.'],
  ])('refuses %j', (text, sentence) => expect(errorOf(csv.read(text, 'x'))).toBe(sentence));

  it.each([
    'time,rate\n0,1\n',
    'time_s,delay_ms\n0,1\n',
    'time_s,end_s,rate_kbps\n',
    'time_s,rate_kbps,bw_bps\n',
  ])('names the columns it needs, and those of %j', (text) =>
    expect(errorOf(csv.read(text, 'x'))).toMatch(
      /^x, line 1, column 1: It needs one column of time .* and one of rate .*; the header has \w+, \w+/,
    ),
  );
});
