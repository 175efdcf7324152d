import type { HlsConfig } from 'hls.js';
import { expect, test } from 'vitest';
import { throughput } from '../../abr/rules/throughput.ts';
import { replay } from '../../sim/replay/replay.ts';
import { FakeHls } from './fakeHls.testing.ts';
import { createHlsSwitch } from './hlsSwitch.ts';
import { decisionsIn, inputsIn, recordSession, rulesIn, scripted } from './recordedSession.testing.ts';

/** hls.js' own controller, which always chooses its second level; how many of them are at work, and what they were told to expect. */
function ownController() {
  const facts = { atWork: 0, made: 0, expectedBps: 0 };
  class Own {
    nextAutoLevel = 1;
    firstAutoLevel = 1;
    forcedAutoLevel = -1;
    constructor() {
      facts.made += 1;
      facts.atWork += 1;
    }
    resetEstimator(bps: number): void {
      facts.expectedBps = bps;
    }
    destroy(): void {
      facts.atWork -= 1;
    }
  }
  return { facts, Own: Own as unknown as HlsConfig['abrController'] };
}

function switched() {
  const session = recordSession();
  const own = ownController();
  const { abrController, use } = createHlsSwitch(own.Own, { telemetry: session.telemetry, seed: 3 });
  return { session, use, facts: own.facts, hls: new FakeHls(abrController, session) };
}

test('hls.js’ own controller decides until a rule is used, and nothing is recorded of it', () => {
  const { session, hls, facts } = switched();
  expect([hls.load(500), hls.load(500)]).toEqual([1, 1]);
  expect(facts).toMatchObject({ atWork: 1, made: 1 });
  expect(hls.config.lowLatencyMode).toBe(true);
  expect(session.events).toEqual([]);
});

test('a rule that takes over knows the latest downloads, and its replay decides as it did', () => {
  const { session, hls, use, facts } = switched();
  for (let step = 0; step < 3; step += 1) hls.load(500);
  use(throughput);
  expect(facts.atWork).toBe(0);
  expect(hls.config.lowLatencyMode).toBe(false);
  // 500 bytes a ms are 4 Mbit/s.
  expect(hls.load(500)).toBe(4);
  expect(inputsIn(session).filter(({ kind }) => kind === 'download')).toMatchObject([
    { segment: 0, rung: 1 },
    { segment: 1, rung: 1 },
    { segment: 2, rung: 1 },
    { segment: 3, rung: 4 },
  ]);
  const replayed = replay(session.log(), throughput);
  expect(replayed.faults).toEqual([]);
  expect([replayed.identical, replayed.decisions.length]).toEqual([1, 1]);
});

test('hls.js’ own controller comes back with the measured rate, a hold ends, and a decision without a request says so', () => {
  const { session, hls, use, facts } = switched();
  use(scripted({ rung: 0 }, { rung: 3, holdUntilBufferMs: 2000 }));
  hls.load(500);
  expect(hls.load(500)).toBeNull();
  expect(hls.config.maxMaxBufferLength).toBe(2);
  use(null);
  expect(hls.config).toMatchObject({ maxMaxBufferLength: 600, lowLatencyMode: true });
  expect(facts).toMatchObject({ atWork: 1, made: 2 });
  expect(facts.expectedBps).toBeGreaterThan(3_500_000);
  expect(hls.load(500)).toBe(1);
  const requests = decisionsIn(session).map(({ rung, missing }) => [rung, missing['requestId']]);
  expect(requests).toEqual([
    [0, 'not-reported'],
    [3, 'not-applicable'],
  ]);
  use(scripted({ rung: 2 }));
  expect(hls.load(500)).toBe(2);
  expect(rulesIn(session)).toEqual(['scripted', 'scripted']);
});

test('a switch while a segment loads waits for the next one', () => {
  const { session, hls, use } = switched();
  const frag = hls.fragment(hls.tick()!);
  hls.trigger('FRAG_LOADING', { frag });
  use(scripted({ rung: 3 }));
  expect(hls.controller.nextAutoLevel).toBe(1);
  expect(decisionsIn(session)).toEqual([]);
  Object.assign(frag.stats, { loaded: 9000, loading: { start: 10, first: 20, end: 300 } });
  hls.trigger('FRAG_LOADED', { frag, part: null });
  hls.trigger('FRAG_BUFFERED', { frag });
  expect(hls.controller.nextAutoLevel).toBe(3);
});

test('the end takes all listeners away, whoever decides', () => {
  const { hls, use, facts } = switched();
  use(scripted({ rung: 0 }));
  use(null);
  hls.controller.destroy();
  expect(hls.listeners.size).toBe(0);
  expect(facts.atWork).toBe(0);
});
