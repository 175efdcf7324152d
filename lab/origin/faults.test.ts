import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../tools.ts';
import { startInstrumentedOrigin, type InstrumentedOrigin } from './startInstrumentedOrigin.ts';

const SIZE_BYTES = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'pitwall-faults-'));
let origin: InstrumentedOrigin;

/** What came of a request: `error` where it did not end well. */
interface Outcome {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly bodyBytes: number;
  readonly headersMs: number;
  readonly totalMs: number;
  readonly error: string | null;
}

/** Fills in what happens until it is over. */
function watch(resolve: (outcome: Outcome) => void) {
  const startedAt = performance.now();
  const outcome = { status: 0, headers: {}, bodyBytes: 0, headersMs: 0, error: null };
  const since = (): number => performance.now() - startedAt;
  return {
    headers: (status: number, headers: Record<string, unknown>) =>
      Object.assign(outcome, { status, headers, headersMs: since() }),
    data: (chunk: Buffer) => void (outcome.bodyBytes += chunk.length),
    over: (error: string | null) => resolve({ ...outcome, totalMs: since(), error }),
  };
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 1 });
const overH1 = (path: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const { headers, data, over } = watch(resolve);
    const sent = request(origin.httpsUrl + path, { agent }, (response) => {
      headers(response.statusCode ?? 0, response.headers);
      response.on('data', data);
      response.on('error', (error) => over(error.message)).on('end', () => over(null));
    });
    sent.on('error', (error) => over(error.message)).end();
  });

let session: ClientHttp2Session;
const overH2 = (path: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const { headers, data, over } = watch(resolve);
    const stream = session.request({ ':path': path });
    stream.on('response', (received) => headers(Number(received[':status']), received));
    stream.on('data', data);
    stream.on('error', (error) => over(error.message));
    stream.on('aborted', () => over('aborted'));
    stream.on('close', () => over(stream.rstCode === 0 ? null : `reset with ${stream.rstCode}`));
  });

describe.skipIf(tools().origin === null && process.env['CI'] !== 'true').each([
  { protocol: 'http/1.1', ask: overH1 },
  { protocol: 'h2', ask: overH2 },
])('faults on demand over $protocol', ({ protocol, ask }) => {
  beforeAll(async () => {
    writeFileSync(join(folder, 'a.m4s'), Buffer.alloc(SIZE_BYTES, 7));
    origin = await startInstrumentedOrigin({ mounts: { '/media': folder } });
    session = connect(origin.httpsUrl, { rejectUnauthorized: false });
    session.on('error', () => {});
  });
  afterEach(() => origin.setFaults([]));
  afterAll(async () => {
    session.destroy();
    agent.destroy();
    await origin.stop();
  });

  const whole = { status: 200, bodyBytes: SIZE_BYTES, error: null };

  test('a status, for so many requests after so many', async () => {
    await origin.setFaults([
      { path: '/media/*.m4s', skip: 1, count: 2, fault: { kind: 'status', status: 503 } },
    ]);
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await ask('/media/a.m4s')).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect((await ask('/media/none.mp4')).status).toBe(404);
  });

  test('a delay, only in its time', async () => {
    await origin.setFaults([{ path: '*', untilMs: 5_000, fault: { kind: 'delay', durationMs: 300 } }]);
    const late = await ask('/media/a.m4s');
    expect(late).toMatchObject(whole);
    expect(late.headersMs).toBeGreaterThanOrEqual(290);
    await origin.setFaults([{ path: '*', fromMs: 60_000, fault: { kind: 'status', status: 500 } }]);
    expect(await ask('/media/a.m4s')).toMatchObject(whole);
  });

  test('a stall in the body, which then goes on', async () => {
    await origin.setFaults([{ path: '*', fault: { kind: 'stall', afterBytes: 5_000, durationMs: 300 } }]);
    const stalled = await ask('/media/a.m4s');
    expect(stalled).toMatchObject(whole);
    expect(stalled.totalMs - stalled.headersMs).toBeGreaterThanOrEqual(250);
  });

  test('a drip', async () => {
    await origin.setFaults([{ path: '*', fault: { kind: 'drip', rateKbps: 400 } }]);
    const dripped = await ask('/media/a.m4s');
    expect(dripped).toMatchObject(whole);
    // 160 kbit at 400 kbit/s, less the first portion.
    expect(dripped.totalMs).toBeGreaterThanOrEqual(300);
  });

  test('a body cut short as if it were whole', async () => {
    await origin.setFaults([{ path: '*', fault: { kind: 'truncate', afterBytes: 5_000 } }]);
    const cut = await ask('/media/a.m4s');
    expect(cut).toMatchObject({ status: 200, bodyBytes: 5_000, error: null });
    expect(cut.headers).not.toHaveProperty('content-length');
  });

  test('a length that is wrong', async () => {
    await origin.setFaults([{ path: '*', count: 1, fault: { kind: 'wrong-length', extraBytes: 100 } }]);
    const wrong = await ask('/media/a.m4s');
    expect(wrong.headers['content-length']).toBe(String(SIZE_BYTES + 100));
    expect(wrong.error).not.toBeNull();
  });

  test('a reset in the body, which ends no other request', async () => {
    await origin.setFaults([{ path: '*', count: 1, fault: { kind: 'reset', afterBytes: 5_000 } }]);
    const reset = await ask('/media/a.m4s');
    expect(reset.error).not.toBeNull();
    expect(reset.bodyBytes).toBe(5_000);
    expect(await ask('/media/a.m4s')).toMatchObject(whole);
    if (protocol === 'h2') expect(session.closed || session.destroyed).toBe(false);
  });

  test('an end of the connection after the answer', async () => {
    const leaves = new Promise((resolve) => session.once('goaway', resolve));
    await origin.setFaults([{ path: '*', count: 1, fault: { kind: 'go-away' } }]);
    const last = await ask('/media/a.m4s');
    expect(last).toMatchObject(whole);
    if (protocol === 'http/1.1') return expect(last.headers['connection']).toBe('close');
    await leaves;
    session = connect(origin.httpsUrl, { rejectUnauthorized: false });
    session.on('error', () => {});
    expect(await ask('/media/a.m4s')).toMatchObject(whole);
  });

  test('a silence of UDP is none of TCP', async () => {
    await origin.setFaults([
      { fault: { kind: 'udp-silence', direction: 'in' } },
      { untilMs: 60_000, fault: { kind: 'udp-silence' } },
      { path: '*', count: 1, fault: { kind: 'status', status: 503 } },
    ]);
    // The rules were understood as a whole: the last of them counts, too.
    expect((await ask('/media/a.m4s')).status).toBe(503);
    expect(await ask('/media/a.m4s')).toMatchObject(whole);
  });

  // The last: the h2 session does not survive it.
  test('a connection that is closed with everything on it', async () => {
    const close = { path: '*', count: 1, fault: { kind: 'close', afterBytes: 5_000 } } as const;
    const stall = {
      path: '*',
      count: 1,
      fault: { kind: 'stall', afterBytes: 1, durationMs: 60_000 },
    } as const;
    // Over http/1.1 there is never anything else on it.
    await origin.setFaults(protocol === 'h2' ? [stall, close] : [close]);
    const asked = protocol === 'h2' ? [1, 2] : [1];
    const both = asked.map(() => ask('/media/a.m4s'));
    for (const { error, bodyBytes } of await Promise.all(both)) {
      expect(error).not.toBeNull();
      expect(bodyBytes).toBeLessThanOrEqual(5_000);
    }
  });
});

afterAll(() => rmSync(folder, { recursive: true }));
