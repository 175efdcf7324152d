import { describe, expect, it } from 'vitest';
import type { RequestEvent } from '../telemetry/event.ts';
import { byBitrate, ladderOf, sameLadder, segmentMsOf } from './dashLadder.ts';
import { segmentsBetween } from './dashMoment.ts';
import { rungIn } from './question.ts';
import { toldDownload } from './toldDownload.ts';

const choice = (id: string, bandwidth: number, width = 0) => ({
  id,
  bandwidth,
  width,
  height: NaN,
  fragmentDuration: NaN,
  segmentDuration: 4,
});

describe('dash.js’ representations as a ladder', () => {
  const choices = byBitrate([choice('c', 3_000_000, 1280), choice('a', 300_000), choice('b', 750_500)]);

  it('ascends by bitrate, in kbit/s, with unknown sizes as null', () => {
    expect(choices.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(ladderOf(choices)).toEqual([
      { bitrateKbps: 300, width: null, height: null },
      { bitrateKbps: 750.5, width: null, height: null },
      { bitrateKbps: 3000, width: 1280, height: null },
    ]);
    expect(segmentMsOf(choices)).toBe(4000);
    expect(segmentMsOf([{ ...choice('x', 1), segmentDuration: NaN }])).toBeNull();
    expect(rungIn(choices, 'b')).toBe(1);
    expect(rungIn(choices, 'gone')).toBeNull();
  });

  it('is compared by what a rule sees of it', () => {
    expect(sameLadder(ladderOf(choices), ladderOf([...choices]))).toBe(true);
    expect(sameLadder(ladderOf(choices), ladderOf(choices.slice(1)))).toBe(false);
  });
});

describe('segments that are left', () => {
  it.each([
    [0, 48_000, 2000, 24],
    [46_010, 48_000, 2000, 1],
    [47_900, 48_000, 2000, 0],
    [50_000, 48_000, 2000, 0],
    [0, NaN, 2000, null],
    [0, Infinity, 2000, null],
    [0, 48_000, 0, null],
  ])('from %s to %s ms by %s: %s', (from, end, segmentMs, left) => {
    expect(segmentsBetween(from, end, segmentMs)).toBe(left);
  });
});

describe('a recorded request as a rule is told of it', () => {
  const request = {
    kind: 'request',
    type: 'media',
    mediaType: 'video',
    outcome: 'ok',
    atMs: 90,
    startMs: 100,
    firstByteMs: 150,
    lastByteMs: 400,
    endMs: 405,
    receivedBytes: 5000,
    bitrateKbps: 750,
    representationId: 'b',
    rung: null,
    segment: 3,
    protocol: 'h3',
    connectionReused: true,
  } as unknown as RequestEvent;
  const told = (over: Partial<RequestEvent> = {}) => toldDownload({ ...request, ...over }, () => 1);

  it('has the papers’ download time: request to last byte', () => {
    expect(told()).toEqual({
      kind: 'download',
      mediaType: 'video',
      segment: 3,
      rung: 1,
      bitrateKbps: 750,
      sizeBytes: 5000,
      startMs: 100,
      firstByteMs: 150,
      lastByteMs: 400,
      protocol: 'h3',
      connectionReused: true,
      aborted: false,
    });
  });

  it('falls back on what the player saw where the browser hides the phases', () => {
    expect(told({ startMs: null, firstByteMs: null, lastByteMs: null })).toMatchObject({
      startMs: 90,
      firstByteMs: null,
      lastByteMs: 405,
    });
  });

  it.each(['aborted', 'timeout', 'network-error'] as const)('is aborted when it ended as %s', (outcome) => {
    expect(told({ outcome })?.aborted).toBe(true);
  });

  it.each<Partial<RequestEvent>>([
    { type: 'init' },
    { mediaType: 'text' },
    { mediaType: null },
    { receivedBytes: 0 },
    { receivedBytes: null },
    { outcome: 'in-flight' },
    { lastByteMs: null, endMs: null },
    { bitrateKbps: null },
  ])('is nothing with %o', (over) => expect(told(over)).toBeNull());

  it('is nothing on an unknown rung', () => {
    expect(toldDownload(request, () => null)).toBeNull();
    expect(toldDownload({ ...request, rung: 2 }, () => null)?.rung).toBe(2);
  });
});
