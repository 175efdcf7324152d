import { describe, expect, test } from 'vitest';
import type { Draft } from '../event.ts';
import type { Surroundings } from './surroundings.ts';
import { trackLevels } from './trackLevels.ts';
import type { Ladders } from './trackPresentation.ts';
import type { Position } from './trackScreen.ts';

type Moment = Omit<Partial<Position['reading']>, 'atMs'> & {
  isMoving?: boolean;
  frameAtMs?: number;
  byFrames?: boolean;
};

/** Two levels of segments of 2 s, of which every picture has its own height, and the switches that were recorded. */
function stream() {
  const listeners = new Map<string, (payload: object) => void>();
  const switches: [number, number][] = [];
  const asked = { count: 0 };
  let place: (position: Position) => void = () => undefined;
  trackLevels(
    {
      player: {
        on: (name: string, listener: (payload: object) => void) => void listeners.set(name, listener),
        off: () => undefined,
      },
      recording: {
        record: (draft: Draft) => void (draft.kind === 'switch' && switches.push([draft.atMs, draft.toRung])),
      },
    } as unknown as Surroundings,
    {
      ladders: { rungOf: (_type: string, _period: string, id: string) => Number(id) } as unknown as Ladders,
      screen: {
        onPosition: (listener) => void (place = listener),
        expectFrame: () => void (asked.count += 1),
      },
    },
  );
  const tell = (name: string, payload: object) => listeners.get(name)?.(payload);
  return {
    switches,
    asked,
    append(startS: number, rung: number) {
      const id = String(rung);
      const representation = { id, bandwidth: 100_000 * (rung + 1), height: 100 * (rung + 1) };
      const request = { type: 'MediaSegment', mediaType: 'video', startTime: startS, duration: 2 };
      tell('fragmentLoadingStarted', { request: { ...request, representation } });
      const appended = { mediaType: 'video', segmentType: 'MediaSegment', startTime: startS };
      tell('bytesAppendedEndFragment', { ...appended, representationId: id });
    },
    at(
      atMs: number,
      mediaMs: number,
      { isMoving = true, frameAtMs, byFrames = true, ...reading }: Moment = {},
    ) {
      const height = mediaMs < 2000 ? 100 : 200;
      place({
        reading: {
          atMs,
          playheadMs: mediaMs,
          rate: 1,
          paused: false,
          isSeeking: false,
          loadedToMs: 4000,
          framesCome: true,
          ...reading,
        },
        isMoving,
        byFrames,
        frame: frameAtMs === undefined ? null : { atMs: frameAtMs, mediaMs, height, count: 1 },
      });
    },
  };
}

describe('trackLevels', () => {
  test('a level comes with the frame that was presented just before the element plays', () => {
    const { switches, append, at } = stream();
    append(0, 0);
    at(430, 0, { isMoving: false, frameAtMs: 430 });
    at(480, 50);
    at(630, 200, { frameAtMs: 630 });
    expect(switches).toEqual([[430, 0]]);
  });

  test('of several such frames one after the other it comes with the first', () => {
    const { switches, append, at } = stream();
    append(0, 0);
    at(200, 0, { isMoving: false, frameAtMs: 200 });
    at(430, 0, { isMoving: false, frameAtMs: 430 });
    at(550, 10, { isMoving: false, frameAtMs: 550 });
    at(600, 50);
    at(750, 200, { frameAtMs: 750 });
    expect(switches).toEqual([[430, 0]]);
  });

  test('where a stall ends just before a boundary, the next level comes at the boundary', () => {
    const { switches, append, at } = stream();
    append(0, 0);
    at(100, 100, { frameAtMs: 100 });
    at(1900, 1900, { frameAtMs: 1900 });
    at(2000, 1900, { isMoving: false });
    append(2, 1);
    at(8000, 1900, { isMoving: false, frameAtMs: 8000 });
    at(8040, 1940);
    at(8200, 2100, { frameAtMs: 8200 });
    expect(switches).toEqual([
      [100, 0],
      [8100, 1],
    ]);
  });

  test('after a hole the next level comes with its first frame, also where a later frame shows that the picture moves', () => {
    const { switches, append, at } = stream();
    append(0, 0);
    append(2, 1);
    at(100, 100, { frameAtMs: 100 });
    at(1080, 1080, { frameAtMs: 1080 });
    at(1086, 2500, { isMoving: false, isSeeking: true });
    at(1095, 2500, { isMoving: false, frameAtMs: 1095 });
    at(1102, 2540, { isMoving: false, frameAtMs: 1102 });
    at(1136, 2580, { frameAtMs: 1136 });
    expect(switches).toEqual([
      [100, 0],
      [1095, 1],
    ]);
  });

  test('a frame from before a hole does not date what comes behind it', () => {
    const { switches, append, at } = stream();
    append(0, 0);
    append(2, 1);
    at(100, 100, { frameAtMs: 100 });
    at(1000, 1000, { isMoving: false, frameAtMs: 1000 });
    at(1086, 2500, { isMoving: false, isSeeking: true });
    at(1136, 2500, { frameAtMs: 1136 });
    expect(switches).toEqual([
      [100, 0],
      [1136, 1],
    ]);
  });

  test('a frame of long ago does not date what plays now', () => {
    const { switches, append, at } = stream();
    append(0, 0);
    at(400, 0, { isMoving: false, frameAtMs: 400 });
    at(2000, 100);
    at(2100, 200, { frameAtMs: 2100 });
    expect(switches).toEqual([[2000, 0]]);
  });

  test('each frame is asked for while a segment that was replaced may be shown', () => {
    const { append, at, asked } = stream();
    append(0, 0);
    append(2, 0);
    at(100, 100, { frameAtMs: 100 });
    at(1000, 1000, { frameAtMs: 1000 });
    append(2, 1);
    at(1200, 1200, { frameAtMs: 1200 });
    expect(asked.count).toBe(0);
    at(1600, 1600, { frameAtMs: 1600 });
    at(2100, 2100, { frameAtMs: 2100 });
    expect(asked.count).toBe(2);
    at(4100, 4100, { frameAtMs: 4100 });
    expect(asked.count).toBe(2);
  });

  test('where no frames are asked for, the playhead says at once what is shown', () => {
    const { switches, append, at } = stream();
    append(0, 0);
    append(2, 1);
    at(500, 0, { frameAtMs: 500 });
    at(1500, 1000, { byFrames: false });
    at(2600, 2100, { byFrames: false });
    expect(switches).toEqual([
      [500, 0],
      [2500, 1],
    ]);
  });

  test('where no frames are reported, the playhead says what is shown', () => {
    const { switches, append, at } = stream();
    append(0, 0);
    append(2, 1);
    for (let atMs = 0; atMs <= 3000; atMs += 200) at(atMs + 500, atMs, { framesCome: false });
    expect(switches).toEqual([
      [500, 0],
      [2500, 1],
    ]);
  });
});
