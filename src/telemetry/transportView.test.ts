import { describe, expect, test } from 'vitest';
import { transportView, type TransportView } from './transportView.ts';

const metric = (name: string, durationMs: number, description = '') => ({ name, durationMs, description });
const reported = (
  serverTiming: Parameters<typeof transportView>[0]['serverTiming'],
  cmsdDynamic: string | null = null,
) => transportView({ serverTiming, cmsdDynamic });
const cfL4 = (text: string) => reported([metric('cfL4', 0, text)]);
const cmsd = (header: string) => reported(null, header);

const UNKNOWN: Omit<TransportView, 'source'> = {
  rttMs: null,
  minRttMs: null,
  rttVarMs: null,
  cwndBytes: null,
  cwndPackets: null,
  inFlightBytes: null,
  lostPackets: null,
  deliveryRateKbps: null,
  expectedKbps: null,
  connection: null,
  controller: null,
};

describe('Server-Timing with a name per figure', () => {
  const OURS = [
    metric('rtt', 101.234),
    metric('min-rtt', 100.1),
    metric('rtt-var', 3.5),
    metric('cwnd', 0, '48000'),
    metric('in-flight', 0, '0'),
    metric('retransmitted', 0, '7'),
    metric('delivery-rate', 0, '4827'),
    metric('connection', 0, '17'),
    metric('controller', 0, 'cubic'),
  ];
  test('as our own origin says it, and what CMSD adds', () =>
    expect(reported(OURS, '"pitwall-origin";etp=3793;rtt=101')).toEqual({
      source: 'Server-Timing',
      rttMs: 101.234,
      minRttMs: 100.1,
      rttVarMs: 3.5,
      cwndBytes: 48_000,
      cwndPackets: null,
      inFlightBytes: 0,
      lostPackets: 7,
      deliveryRateKbps: 4827,
      expectedKbps: 3793,
      connection: '17',
      controller: 'cubic',
    }));
  test('an entry without duration, which browsers give as 0, is no round trip of 0 ms', () =>
    expect(reported([metric('rtt', 0), metric('cwnd', 0, '48000')])).toEqual({
      ...UNKNOWN,
      source: 'Server-Timing',
      cwndBytes: 48_000,
    }));
  test('entries about anything else tell nothing', () =>
    expect(reported([metric('cache', 0, 'HIT'), metric('db', 53), metric('connection', 0, '4')])).toBeNull());
});

describe('Cloudflare', () => {
  test('TCP: µs, a window in packets, segments sent again, bytes a second', () =>
    expect(
      cfL4(
        '?proto=TCP&rtt=10280&min_rtt=10182&rtt_var=2940&sent=140&recv=6&lost=1&retrans=2&sent_bytes=3014&recv_bytes=510&delivery_rate=276566&cwnd=53&unsent_bytes=0&cid=b7612a6d37310938&ts=49&x=0',
      ),
    ).toEqual({
      ...UNKNOWN,
      source: 'cfL4',
      rttMs: 10.28,
      minRttMs: 10.182,
      rttVarMs: 2.94,
      cwndPackets: 53,
      lostPackets: 2,
      deliveryRateKbps: 2212.528,
      connection: 'b7612a6d37310938',
    }));
  test('QUIC: a window in bytes, packets lost', () =>
    expect(
      cfL4('?proto=QUIC&rtt=78569&sent=3245&recv=552&lost=191&retrans=185&cwnd=10376&cid=&x=1'),
    ).toMatchObject({
      rttMs: 78.569,
      cwndBytes: 10_376,
      cwndPackets: null,
      lostPackets: 191,
      connection: null,
    }));
  test('without its protocol a window has no unit', () =>
    expect(cfL4('?rtt=5000&cwnd=53')).toEqual({ ...UNKNOWN, source: 'cfL4', rttMs: 5 }));
});

describe('CMSD', () => {
  test.each<[string, Partial<TransportView> | null]>([
    ['"edge";etp=76;rtt=32', { rttMs: 32, expectedKbps: 76 }],
    // Each server on the way appends itself: the last one spoke of the way to the player.
    ['"CDNB-3ak1";etp=96;rtt=8,"CDNB-w35k";etp=76;rtt=32', { rttMs: 32, expectedKbps: 76 }],
    ['"origin";rtt=8, "edge";etp=76', null],
    ['"a;rtt=5, b\\";rtt=6" ; rtt=7', { rttMs: 7, expectedKbps: null }],
    ['edge;rtt=12;su', { rttMs: 12 }],
    ['"edge";rtt="fast";etp=2XX', null],
    ['', null],
  ])('%s', (header, expected) => {
    const view = cmsd(header);
    if (expected === null) expect(view).toBeNull();
    else expect(view).toMatchObject({ source: 'CMSD', ...expected });
  });
});

test('no header makes it throw, wait, or say a number that is none', () => {
  const nasty = [
    '1e999',
    'NaN',
    '-5',
    '0x10',
    '99999999999999999999',
    '\u0000',
    '%',
    '__proto__',
    ' 5',
    '"'.repeat(4000),
    ';rtt='.repeat(800),
    '"\\'.repeat(2000),
    '&=?'.repeat(1300),
    '<img src=x onerror=alert(1)>',
  ];
  const names = ['rtt', 'cwnd', 'cfL4', 'connection', 'lost', '__proto__', 'constructor', ''];
  for (const text of nasty)
    for (const durationMs of [0, 1e12, 5e-324, 20]) {
      const timing = names.map((name) => metric(name, durationMs, text));
      const cloudflare = [metric('cfL4', 0, `?proto=${text}&rtt=${text}&cwnd=${text}&lost=${text}`)];
      for (const serverTiming of [null, timing, cloudflare])
        for (const value of Object.values(reported(serverTiming, text) ?? {}))
          if (typeof value === 'number') expect(value).toSatisfy(isPlausible);
    }
});

const isPlausible = (value: number): boolean => Number.isFinite(value) && value >= 0 && value <= 1e11;
