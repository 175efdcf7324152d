import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { madeEthernet, madeIp, madePcap, u16, u32 } from '../src/network/capture/madeCapture.testing.ts';
import { exampleLog, exampleRequest } from '../src/telemetry/exampleLog.testing.ts';
import { silencedSession } from '../src/telemetry/netlog/exampleNetLog.testing.ts';
import { checkSession } from '../src/telemetry/schema/readSession.ts';

const root = path.dirname(import.meta.dirname);
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-races-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function races(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bin', 'pitwall'), 'races', ...args],
    { encoding: 'utf8', cwd: folder },
  );
  return { status, stdout, stderr };
}

const asked = (id: string, name: string, startMs: number, protocol: string) =>
  exampleRequest({
    id,
    url: `https://origin.test:8443/${name}`,
    atMs: startMs,
    startMs,
    firstByteMs: startMs + 20,
    protocol,
    encodedBodyBytes: null,
    receivedBytes: null,
  });
const example = exampleLog({
  segments: 0,
  extra: [
    asked('a1', 'init.mp4', 101, 'h2'),
    asked('a2', '1.m4s', 201, 'h3'),
    asked('a4', '3.m4s', 6401, 'h2'),
  ],
});
// Its manifest came over h3: without it the session begins with discovery.
const log = { ...example, events: example.events.filter(({ id }) => id !== 'r1') };
writeFileSync(path.join(folder, 'lap.json'), JSON.stringify(log));
writeFileSync(path.join(folder, 'net.json'), silencedSession().text());
writeFileSync(path.join(folder, 'other.json'), JSON.stringify(exampleLog()));

describe('pitwall races', () => {
  it('sums up races with discovery apart, connections and broken periods, and writes the session with them', () => {
    const { status, stdout } = races('lap.json', 'net.json', '--out', 'joined.json');
    expect(stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' '))).toEqual([
      'races discovery later',
      'main-won 1 0',
      'alternative-reused 1 0',
      'main-broken 0 1',
      '',
      'cause races',
      'discovery 1',
      '',
      'connection transport handshake 0-RTT sent received lost closed',
      '40 tcp 45 ms',
      '50 quic 31 ms NotAttempted 1 1 1 QUIC_TOO_MANY_RTOS',
      '',
      'Alt-Svc broken from 6.3 s to the end of the NetLog: QUIC_TOO_MANY_RTOS: Network blackhole detected',
      '',
    ]);
    expect(status).toBe(0);
    const reported = checkSession(JSON.parse(readFileSync(path.join(folder, 'joined.json'), 'utf8')));
    expect(reported.ok && reported.value.events.filter(({ kind }) => kind === 'transport').length).toBe(6);
  });

  it.each([
    [['lap.json', 'gone.json'], /gone\.json: There is no such file or folder/],
    [['other.json', 'net.json'], /net\.json: It has no request of other\.json:/],
    [['lap.json', 'client.pcap'], /client\.pcap: .* give the origin's log with --access-log/],
    [['lap.json', 'client.pcap', '--access-log', 'lap.json'], /lap\.json: It is no access log/],
    [['lap.json'], /lap\.json: It is no capture of packets/],
    [['client.pcap', '--out', 'x.json'], /--out needs a session log/],
  ])('%j is refused in one sentence', (args, sentence) => {
    const { status, stderr } = races(...args);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(1);
  });
});

/** A request over http/1.1 without TLS, 20 ms to the server and back. */
const segment = (atMs: number, flags: number, data = '', isBack = false) => {
  const [from, to, ports] = isBack
    ? (['203.0.113.1', '198.51.100.1', [8080, 40_001]] as const)
    : (['198.51.100.1', '203.0.113.1', [40_001, 8080]] as const);
  const sequence = (isBack ? 900 : 100) + (data === '' ? 0 : 1);
  const payload = [...u32(sequence), ...u32(isBack ? 101 : 901), 0x50, flags, ...u16(999), 0, 0, 0, 0];
  const ip = madeIp({ from, to, protocol: 6, ports, payload: [...payload, ...Buffer.from(data)] });
  return { atUnixMs: example.clock.startedAtUnixMs + atMs, frame: madeEthernet(ip) };
};
const packets = [segment(1000, 2), segment(1020, 18, '', true), segment(1021, 16, 'GET /1.m4s HTTP/1.1')];
writeFileSync(path.join(folder, 'client.pcap'), madePcap(packets));
writeFileSync(path.join(folder, 'cut.pcap'), madePcap(packets).subarray(0, -1));
const plain = asked('a5', '1.m4s', 1000, 'http/1.1');
const overHttp = { ...plain, url: 'http://origin.test:8080/1.m4s' };
writeFileSync(
  path.join(folder, 'plain.json'),
  JSON.stringify({ ...log, events: [...log.events.filter(({ kind }) => kind !== 'request'), overHttp] }),
);
const answer = {
  ts: (example.clock.startedAtUnixMs + 1040) / 1000,
  duration: 0.005,
  size: 4,
  status: 200,
  request: {
    ...{ proto: 'HTTP/1.1', method: 'GET', host: 'origin.test:8080', uri: '/1.m4s' },
    ...{ remote_port: '40001', headers: {} },
  },
  resp_headers: {},
};
writeFileSync(path.join(folder, 'access.log'), `${JSON.stringify(answer)}\n`);

describe('pitwall races of a capture', () => {
  const lines = (stdout: string): string[] => stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' '));

  it('prints attempts and races, with the requests that the origin answered', () => {
    const { status, stdout, stderr } = races('client.pcap', '--access-log', 'access.log');
    expect(lines(stdout)).toEqual([
      'attempt transport server offers start answer ready end by sent received requests',
      '1 TCP 203.0.113.1 0.000 0.020 0.020 0.021 last packet 99 bytes 40 bytes 1',
      '',
      'No attempts over QUIC and TCP raced.',
      '',
    ]);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('adds the races of the requests that the origin answered to a session', () => {
    const { status, stdout } = races(
      'plain.json',
      'client.pcap',
      '--access-log',
      'access.log',
      '--out',
      'with.json',
    );
    expect(lines(stdout).slice(0, 2)).toEqual(['races discovery later', 'main-alone 0 1']);
    expect(status).toBe(0);
    const read = checkSession(JSON.parse(readFileSync(path.join(folder, 'with.json'), 'utf8')));
    const found = read.ok ? read.value.events.filter((event) => event.kind === 'transport') : [];
    expect(found.map(({ source, requestId }) => [source, requestId])).toEqual([
      ['packets', 'a5'],
      ['packets', null],
    ]);
  });

  it('that is cut off says so, and calls nothing certain that only a whole one shows', () => {
    const { stderr } = races('cut.pcap');
    expect(stderr.match(/cut\.pcap: The last packet is cut off/g)).toHaveLength(1);
  });
});
