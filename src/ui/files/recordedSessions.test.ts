import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createDiagnostics } from '../../analysis/diagnostics/diagnostics.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { RECORDED_SESSIONS, recordedIn } from './recordedSessions.ts';

const FOLDER = new URL('../../../public/sessions/', import.meta.url);

function logOf(id: string): SessionLog {
  const read = readSession(gunzipSync(readFileSync(new URL(`${id}.json.gz`, FOLDER))).toString());
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const SHOWS: Readonly<Record<string, (log: SessionLog) => void>> = {
  stall(log) {
    const diagnostics = createDiagnostics(log);
    for (const event of log.events) diagnostics.append(event);
    const [worst] = diagnostics.findings();
    expect(worst?.sentence).toMatch(/^Playback stalled for .* came, and playing it takes .* had estimated /);
  },
  race(log) {
    const outcomes = log.events.flatMap((event) =>
      event.kind === 'transport' ? event.races.map(({ outcome }) => outcome) : [],
    );
    expect(new Set(outcomes).size).toBeGreaterThan(1);
    const diagnostics = createDiagnostics(log);
    for (const event of log.events) diagnostics.append(event);
    // 587 kB came in 2.4 s over h2: slow was the connection over QUIC that it was sent over first.
    expect(diagnostics.findings()[0]?.sentence).toMatch(
      /took 31\.5 s over h2: 29\.1 s until the first byte, then 1\.93 Mbit\/s.* The QUIC connection that it was sent over first died \(net error -356\)$/,
    );
  },
  'udp-limiter'(log) {
    const uses = log.events.flatMap((event) => (event.kind === 'steering' ? [event.pathway] : []));
    expect(uses.indexOf('tcp')).toBeGreaterThan(0);
    expect(uses.at(-1)).toBe('main');
  },
};

test.each(RECORDED_SESSIONS.map(({ id, atMs }) => [id, atMs] as const))(
  '%s is a real session that shows what it promises',
  (id, atMs) => {
    const log = logOf(id);
    SHOWS[id]!(log);
    expect(log.environment.linkRun, 'an emulated link').toBeDefined();
    expect(log.environment.pitwallVersion).toMatch(/\+g[0-9a-f]{10}$/);
    expect(log.environment.machine?.flags).toEqual([]);
    expect(atMs).toBeGreaterThan(0);
    expect(atMs).toBeLessThan(log.parts.at(-1)!.endMs ?? 0);
  },
);

test('every file is offered', () =>
  expect(readdirSync(FOLDER).sort()).toEqual(RECORDED_SESSIONS.map(({ id }) => `${id}.json.gz`).sort()));

test('an address names one, none, or gets a question', () => {
  expect(recordedIn('?recorded=race')).toMatchObject({ ok: true, value: { id: 'race' } });
  expect(recordedIn('?mpd=x')).toEqual({ ok: true, value: null });
  expect(recordedIn('?recorded=rase')).toMatchObject({
    ok: false,
    error: expect.stringContaining('did you mean "race"?') as string,
  });
});
