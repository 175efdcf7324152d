import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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
    [['lap.json', 'gone.json'], /gone\.json: It cannot be read \(ENOENT\)/],
    [['other.json', 'net.json'], /net\.json: It has no request of other\.json:/],
  ])('%j is refused in one sentence', (args, sentence) => {
    const { status, stderr } = races(...args);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(1);
  });
});
