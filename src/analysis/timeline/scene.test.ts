import { expect, test } from 'vitest';
import { exampleSession, linked } from './example.testing.ts';
import { sceneOf } from './scene.ts';

test.each([
  ['comes at once', null, 13_000],
  ['comes after a gap', 10_000, 10_000],
])('a new address that %s is marked where the one before was lost', (_what, lostMs, atMs) => {
  const log = linked(exampleSession([]), []);
  const at = (sessionMs: number): number => log.clock.startedAtUnixMs + sessionMs;
  const change = {
    atUnixMs: at(13_000),
    address: '198.51.100.3',
    ...(lostMs !== null && { lostAtUnixMs: at(lostMs) }),
  };
  const linkRun = { ...log.environment.linkRun!, addressChanges: [change] };
  const { link } = sceneOf({ ...log, environment: { ...log.environment, linkRun } });
  expect(link).toEqual([{ atMs, toMs: null, kind: 'address', kbps: null }]);
});
