import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { ownOrigin, type OriginSetting } from './ownOrigin.ts';
import type { Origin } from './origin.ts';
import type { ServerProcess } from './serverProcess.ts';

const TAKEN = 'Caddy ended at its start (exit code 1): listen udp: bind: address already in use';

/** A server that ends when it gets a signal. */
function fakeServer(pid = 0): ServerProcess {
  let end = (): void => undefined;
  const gone = new Promise<void>((resolve) => (end = resolve));
  return { pid, gone, signal: (name) => void (name === 'SIGTERM' && end()) };
}

/** Fails so many times, then starts. */
function serverThatFails(times: number, why: string) {
  let left = times;
  return vi.fn((_: OriginSetting) => {
    left -= 1;
    return left >= 0 ? Promise.reject(new Error(why)) : Promise.resolve(fakeServer());
  });
}

let origin: Origin | null = null;
afterEach(async () => {
  await origin?.stop();
  origin = null;
});

test('other ports are taken where somebody took a free one first', async () => {
  const start = serverThatFails(2, TAKEN);
  origin = await ownOrigin({ mounts: {} }, start);
  expect(start).toHaveBeenCalledTimes(3);
  expect(origin.httpsPort).toBe(start.mock.lastCall![0].httpsPort);
});

test.each([
  ['ports that were asked for', { httpsPort: 48_443, httpPort: 48_080 }, TAKEN, 1],
  ['another fault', {}, 'Caddy ended at its start (exit code 1): no such module', 1],
  ['a port that is lost again and again', {}, TAKEN, 3],
])('%s: it fails with the reason', async (_, ports, why, starts) => {
  const start = serverThatFails(9, why);
  await expect(ownOrigin({ mounts: {}, ...ports }, start)).rejects.toThrow(why);
  expect(start).toHaveBeenCalledTimes(starts);
});

test('its file has the process id of its last start, and goes with it', async () => {
  let pid = 100;
  origin = await ownOrigin({ mounts: {} }, () => Promise.resolve(fakeServer(++pid)));
  const { pidFile } = origin;
  expect(readFileSync(pidFile, 'utf8')).toBe('101');
  await origin.restart();
  expect(readFileSync(pidFile, 'utf8')).toBe('102');
  await origin.stop();
  expect(existsSync(pidFile)).toBe(false);
});
