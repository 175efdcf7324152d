import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from './main.ts';
import { runMain } from './runMain.testing.ts';
import { madeEthernet, madeIp, madePcap, madePcapng } from '../src/network/capture/madeCapture.testing.ts';
import { readTrace } from '../src/network/traces/readTrace.ts';
import { valueOf } from '../src/shared/result.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-traces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const AT = 1_764_000_000_000;
const sent = (from: string, seconds: number, payloadBytes: number) => ({
  atUnixMs: AT + 1000 * seconds,
  frame: madeEthernet(madeIp({ from, to: '10.0.0.2', payloadBytes })),
});
/** Capture with 100 packets of 1000 bytes in the first second, then one, and none in the third; another server sends less. */
const PACKETS = [
  ...Array.from({ length: 100 }, (_, place) => sent('203.0.113.7', place / 100, 976)),
  sent('198.51.100.1', 0.5, 476),
  sent('203.0.113.7', 1.5, 976),
  sent('203.0.113.7', 3.2, 976),
];
writeFileSync(path.join(folder, 'a.pcap'), madePcap(PACKETS));
writeFileSync(path.join(folder, 'a.pcapng'), madePcapng(PACKETS));
writeFileSync(path.join(folder, 'cut.pcap'), madePcap(PACKETS).subarray(0, -1));
writeFileSync(path.join(folder, 'wifi.pcap'), madePcap(PACKETS, { linkType: 127 }));
writeFileSync(path.join(folder, 'empty.pcap'), madePcap([]));
writeFileSync(path.join(folder, 'text.pcap'), 'time_s,rate_kbps\n0,1\n');

/** Makes one of 10 packets of 1000 bytes a second for 2 s as a device of "any" sees it; the second device sees it later. */
const onDevice = (device: number, place: number) => ({
  atUnixMs: AT + 100 * place + (device === 7 ? 0.03 : 0),
  frame: [
    ...[8, 0, 0, 0, 0, 0, 0, device, ...new Array<number>(12).fill(0)],
    ...madeIp({ from: '203.0.113.7', to: '10.0.0.2', payloadBytes: 976 }),
  ],
});
const PLACES = Array.from({ length: 21 }, (_, place) => place);
const BRIDGED = PLACES.flatMap((place) => [onDevice(3, place), onDevice(7, place)]);
writeFileSync(path.join(folder, 'bridge.pcap'), madePcap(BRIDGED, { linkType: 276 }));
/** Makes one of these packets on a mirror port: it comes in and, a hop later and in another VLAN, goes out. */
const mirrored = (place: number, hops: number) => ({
  atUnixMs: AT + 100 * place + (hops < 64 ? 0.4 : 0),
  frame: madeEthernet(
    madeIp({ from: '203.0.113.7', to: '10.0.0.2', payloadBytes: 976, identification: place, hops }),
    [hops],
  ),
});
const MIRRORED = PLACES.flatMap((place) => [mirrored(place, 64), mirrored(place, 63)]);
writeFileSync(path.join(folder, 'mirror.pcap'), madePcap(MIRRORED));
writeFileSync(
  path.join(folder, 'set-back.pcap'),
  madePcap([sent('203.0.113.7', 9, 976), sent('203.0.113.7', 3.5, 976)]),
);

const FILES = /^\.$|\.(pcap|pcapng|json)$/;

const run = (...args: string[]) => runMain(['traces', 'import', ...args], { main, folder, files: FILES });

const ratesIn = (text: string): number[] => [
  ...valueOf(readTrace(text, { name: 't', format: 'pitwall' })).rateKbps,
];

test.each(['a.pcap', 'a.pcapng'])(
  '%s: the sender of most bytes becomes a trace that readers take',
  async (file) => {
    const { stdout, stderr, status } = await run(file, '--interval', '1000', '--rtt', '40');
    expect(status).toBe(0);
    expect(ratesIn(stdout)).toEqual([800, 8, 0]);
    expect([...valueOf(readTrace(stdout, { name: 't' })).rttMs!]).toEqual([40, 40, 40]);
    expect(stderr.split('\n')).toEqual([
      `pitwall: ${file}: 203.0.113.7 to 10.0.0.2: 102 packets, 102 kB over UDP, 1 flow, 3.2 s.`,
      'pitwall: It is the sender of most bytes; --list shows all 2, and --address names another.',
      'pitwall: 3 pieces of 1000 ms; rates count whole IP packets.',
      'pitwall: In 1 of 3 pieces nothing came: their rate is 0, an outage to whoever plays the trace; --idle hold keeps the rate before.',
      'pitwall: The rate is what was seen, not what the path could carry: where the sender had nothing to send, the path may have carried more.',
      '',
    ]);
    expect((JSON.parse(stdout) as { source: string }).source).toMatch(
      /^Imported from a\.pcap(ng)?: what came from 203\.0\.113\.7 to .* first packet at 2025-11-24T16:00:00\.000Z\. The rate/,
    );
  },
);

test('what two devices saw counts once, and a note says so', async () => {
  const { stdout, stderr } = await run('bridge.pcap', '--interval', '1000');
  expect(ratesIn(stdout)).toEqual([80, 80]);
  expect(stderr).toContain(
    'bridge.pcap: Several interfaces saw the same flows, as on "any" behind a bridge: of each flow the interface with most bytes counts, and 21 packets of the others are left out.',
  );
});

test('what a mirror port shows twice counts once, and a note says so', async () => {
  const { stdout, stderr } = await run('mirror.pcap', '--interval', '1000');
  expect(ratesIn(stdout)).toEqual([80, 80]);
  expect(stderr).toContain(
    'mirror.pcap: Within 20 ms 21 packets came again: each counts once. Mirror ports (SPAN) show such copies.',
  );
});

test('a clock that was set back is no trace', async () => {
  const { stderr, status } = await run('set-back.pcap', '--list');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^pitwall: set-back\.pcap: At packet 2 the time goes back by 5\.5 s between the same two addresses\. If the clock /,
  );
});

test('another sender, a held rate and a file; who sent is a table', async () => {
  expect((await run('a.pcap', '--interval', '1000', '--idle', 'hold', '--out', 'a.json')).stdout).toBe('');
  expect(ratesIn(readFileSync(path.join(folder, 'a.json'), 'utf8'))).toEqual([800, 8, 8]);
  expect(ratesIn((await run('a.pcap', '--address', '198.51.100.1')).stdout)).toEqual([8]);
  const list = (await run('a.pcap', '--list')).stdout;
  const rows = list.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows).toEqual([
    ['sender', 'all', 'TCP', 'UDP', 'packets', 'flows', 'seconds'],
    ['203.0.113.7 to 10.0.0.2', '102 kB', '0 bytes', '102 kB', '102', '1', '3.2'],
    ['198.51.100.1 to 10.0.0.2', '500 bytes', '0 bytes', '500 bytes', '1', '1', '0.0'],
    [''],
  ]);
});

test('a capture that was cut off gives what is whole, and says so', async () => {
  const { stdout, stderr, status } = await run('cut.pcap', '--interval', '1000');
  expect([ratesIn(stdout), status]).toEqual([[800], 0]);
  expect(stderr).toContain('cut.pcap: The last packet is cut off; it is left out.');
});

test.each([
  [['text.pcap'], /^pitwall: text\.pcap, byte 0: It is no capture in the formats pcap or pcapng\.\n$/, 1],
  [['gone.pcap'], /^pitwall: gone\.pcap: There is no such file or folder\.\n$/, 1],
  [['.'], /It is a folder, not a file/, 1],
  [['empty.pcap'], /empty\.pcap: It has no packet\./, 1],
  [['wifi.pcap'], /has an IP header\. .* link type 127, radiotap \(IEEE 802\.11\), cannot be read/, 1],
  [['a.pcap', '--address', '192.0.2.1'], /None of its 103 packets comes from 192\.0\.2\.1; --list/, 1],
  [['a.pcap', '--address', 'example'], /--address takes an IP address, not "example"/, 2],
  [['a.pcap', '--rtt', '-1'], /--rtt takes ms/, 2],
])('%j is refused', async (args, sentence, code) => {
  const { stdout, stderr, status } = await run(...args);
  expect(stderr).toMatch(sentence);
  expect([stdout, status]).toEqual(['', code]);
});
