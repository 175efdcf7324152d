import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeCmcd, validateCmcdEvents, type Cmcd } from '@svta/cml-cmcd';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { foldCmcd } from '../design/cmcdSessions.ts';
import { startingTrial } from '../design/startingTrial.ts';
import { sha256 } from '../store/hash.ts';
import { readTrialFolder } from '../store/readTrialFolder.testing.ts';
import { CUSTOM_KEYS, decodeCmcdEvents } from './cmcdEvents.ts';
import { startTrialServer } from './trialServer.ts';

const trial = startingTrial('salt-of-the-cmcd-test');
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-cmcd-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START_MS = Date.UTC(2026, 0, 5, 12);
const received = { receivedMs: START_MS + 90_000, network: null, hash: sha256 };

/** An event as the library of dash.js, hls.js and Shaka writes it. */
const event = (afterMs: number, data: object, sid = 'session-in-the-clear'): string =>
  encodeCmcd(
    {
      v: 2,
      e: 'ps',
      ts: START_MS + afterMs,
      sid,
      [CUSTOM_KEYS.trial]: trial.name,
      [CUSTOM_KEYS.viewer]: 'viewer-in-the-clear',
      ...data,
    } as Cmcd,
    { version: 2, reportingMode: 'event' },
  );

/** Starts, plays after 640 ms, stalls once for 1500 ms, plays to 60 s, and quits. */
const session = [
  event(0, { sta: 's' }),
  event(640, { sta: 'p', msd: 640, br: [3000] }),
  event(20_640, { sta: 'r' }),
  event(22_140, { sta: 'p', bsd: [1500], br: [1000] }),
  event(40_000, { e: 't', [CUSTOM_KEYS.h3Bytes]: '9000000', [CUSTOM_KEYS.tcpBytes]: '1000' }),
  event(60_000, { sta: 'q', [CUSTOM_KEYS.h3Bytes]: '12000000', [CUSTOM_KEYS.pathway]: 'h3' }),
];

describe('CMCD events', () => {
  it('of the test are valid for the library', () =>
    expect(validateCmcdEvents(session.join('\n')).issues).toEqual([]));

  it('become a session, in any order and over several bodies', () => {
    const bodies = [session.slice(3).join('\n'), session.slice(0, 3).join('\r\n')];
    const rows = bodies.flatMap((body) => {
      const read = decodeCmcdEvents(body, trial, received);
      return read.ok ? read.value : [];
    });
    const [found, ...others] = foldCmcd(rows);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      startedMs: START_MS,
      joinMs: 640,
      playedMs: 20_000 + 37_860,
      stalledMs: 1500,
      stalls: 1,
      errors: 0,
      h3Bytes: 12_000_000,
      tcpBytes: 1000,
      pathway: 'h3',
    });
    expect(found!.bitrateKbps).toBeCloseTo((20_000 * 3000 + 37_860 * 1000) / 57_860, 6);
    expect(found!.arm).toMatch(/^(?:h3|tcp)$/);
  });

  it('of a viewer who leaves before the first frame are a session without join time', () => {
    const read = decodeCmcdEvents(
      [event(0, { sta: 's' }), event(3000, { sta: 'q' })].join('\n'),
      trial,
      received,
    );
    expect(read.ok && foldCmcd(read.value)).toMatchObject([{ joinMs: null, playedMs: 0, bitrateKbps: null }]);
  });

  it('whose start is lost make no session', () => {
    const read = decodeCmcdEvents(session.slice(3).join('\n'), trial, received);
    expect(read.ok && foldCmcd(read.value)).toEqual([]);
  });

  it('do not count a long silence as played', () => {
    const events = [event(0, { sta: 'p', msd: 5 }), event(3_600_000, { sta: 'q' })];
    const read = decodeCmcdEvents(events.join('\n'), trial, received);
    expect(read.ok && foldCmcd(read.value)[0]!.playedMs).toBe(120_000);
  });

  it('take the bitrate of video from a list by type', () => {
    const line = `br=(128;a 5000;v),e=ps,sid="a",sta=p,ts=${START_MS},v=2`;
    const read = decodeCmcdEvents(line, trial, received);
    expect(read.ok && read.value[0]!.bitrateKbps).toBe(5000);
  });

  it.each([
    ['', 'The body has no event.'],
    ['a=((', 'Line 1: It is no structured field.'],
    ['br=(1)', 'Line 1: Its version, "v", is not 2.'],
    [`v=2,e=ps,ts=${START_MS}`, 'Line 1: It has no session id, "sid", of 1 to 128 characters.'],
    ['v=2,e=ps,sid="a"', 'Line 1: It has no time, "ts", in ms.'],
    [`${session[0]}\nv=2,ts=${START_MS},sid="a"`, 'Line 2: It has no event, "e".'],
    [event(0, { [CUSTOM_KEYS.trial]: 'other' }), 'Line 1: It is of another trial.'],
    [`x="${'y'.repeat(4000)}"`, 'Line 1: It has more than 4000 characters.'],
  ])('are refused with a reason: %#', (body, error) =>
    expect(decodeCmcdEvents(body, trial, received)).toEqual({ ok: false, error }),
  );

  it('that were changed at random are read or refused, and never throw', () => {
    const random = seededRandom(1);
    const whole = session.join('\n');
    for (let round = 0; round < 3000; round++) {
      const at = Math.floor(random() * whole.length);
      const other = String.fromCharCode(Math.floor(random() * 256));
      const cut = random() < 0.3 ? whole.slice(0, at) : whole.slice(0, at) + other + whole.slice(at + 1);
      expect(() => decodeCmcdEvents(cut, trial, received)).not.toThrow();
    }
  });
});

it('the collector stores events without ids, and the report reads them', async () => {
  const server = await startTrialServer(trial, {
    folder,
    host: '127.0.0.1',
    port: 0,
    token: null,
    report: () => undefined,
  });
  const post = (body: string): Promise<Response> =>
    fetch(`${server.url}/events`, { method: 'POST', body, headers: { 'Content-Type': 'application/cmcd' } });
  expect((await post(session.join('\n'))).status).toBe(204);
  expect((await post('((')).status).toBe(400);
  await server.stop();
  const names = readdirSync(path.join(folder, 'events'));
  expect(readFileSync(path.join(folder, 'events', names[0]!), 'utf8')).not.toMatch(/in-the-clear|127\.0/);
  const { data } = await readTrialFolder(folder);
  expect(data.sessions).toMatchObject([{ joinMs: 640, h3Bytes: 12_000_000 }]);
});
