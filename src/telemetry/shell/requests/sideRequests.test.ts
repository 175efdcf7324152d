import type { MediaPlayerClass } from 'dashjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RequestSurroundings } from '../../join/requestDraft.ts';
import type { TimingEntry } from '../../join/resourceTiming.ts';
import { trackSideRequests } from './sideRequests.ts';

beforeEach(() => void vi.stubGlobal('document', { baseURI: 'https://app.example/' }));
afterEach(() => void vi.unstubAllGlobals());

/** A player that only tells of manifests, with the clock server it was set to. */
function playerThatTells(value: string) {
  const listeners = new Map<string, (payload: unknown) => void>();
  const player = {
    on: (name: string, listener: (payload: unknown) => void) => void listeners.set(name, listener),
    off: () => undefined,
    getSettings: () => ({
      streaming: {
        utcSynchronization: { defaultTimingSource: { scheme: 'urn:mpeg:dash:utc:http-xsdate:2014', value } },
      },
    }),
  };
  return {
    player: player as unknown as MediaPlayerClass,
    tell: (UTCTiming: readonly object[], baseUri?: string) =>
      listeners.get('manifestLoaded')?.({ data: { UTCTiming, baseUri } }),
  };
}

// dash.js lets what a listener throws through to its loader, which then loads nothing more.
test.each([
  ['a Date, which dash.js makes of a "direct" clock', 'urn:mpeg:dash:utc:direct:2014', new Date(0)],
  ['an address that is none', 'urn:mpeg:dash:utc:http-iso:2014', 'http://[ https://'],
  ['nothing', 'urn:mpeg:dash:utc:http-head:2014', undefined],
])('a clock in the manifest that is %s does not disturb the player', (_what, schemeIdUri, value) => {
  const warn = vi.spyOn(console, 'warn');
  const { player, tell } = playerThatTells('https://[');
  const around = {} as RequestSurroundings;
  const side = trackSideRequests({ player, recording: { record: vi.fn() } }, around);
  expect(() => tell([{ schemeIdUri, value }])).not.toThrow();
  expect(warn).not.toHaveBeenCalled();
  expect(side.take([{ name: 'https://cdn.example/1.m4s', startTime: Infinity } as TimingEntry])).toEqual([]);
});

test('the request of a clock server is taken, other requests are left', () => {
  const { player, tell } = playerThatTells('https://default.example/time');
  const record = vi.fn();
  const around = { sessionMs: (ms: number) => ms } as unknown as RequestSurroundings;
  const side = trackSideRequests({ player, recording: { record } }, around);
  tell([{ schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: 'https://clock.example/now' }]);
  const entry = (name: string): TimingEntry => ({ name, startTime: performance.now() + 1 }) as TimingEntry;
  const [mine, other] = [entry('https://clock.example/now?x=1'), entry('https://cdn.example/1.m4s')];
  expect(side.take([other])).toEqual([]);
  expect(record).not.toHaveBeenCalled();
  expect(side.take([mine, other])).toEqual([mine]);
  expect(record).toHaveBeenCalledTimes(1);
});

test('a clock without a host is beside the manifest, not beside the page', () => {
  const { player, tell } = playerThatTells('');
  const around = { sessionMs: (ms: number) => ms } as unknown as RequestSurroundings;
  const side = trackSideRequests({ player, recording: { record: vi.fn() } }, around);
  tell([{ schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: 'time' }], 'https://cdn.example/live/');
  const entry = (name: string): TimingEntry => ({ name, startTime: performance.now() + 1 }) as TimingEntry;
  const [mine, other] = [entry('https://cdn.example/live/time'), entry('https://app.example/time')];
  expect(side.take([mine, other])).toEqual([mine]);
});
