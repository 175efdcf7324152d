import { describe, expect, it } from 'vitest';
import { newTrouble, withFailure, type FailedRound } from './recover.ts';
import { GIVE_UP_MS } from './standstill.ts';

const segment = (startTime: number) => ({
  type: 'MediaSegment',
  url: `https://cdn.example/${startTime}.m4s`,
  startTime,
  duration: 2,
});
const without = (type: string, url = 'https://cdn.example/v.mp4', range: string | null = null) => ({
  type,
  url,
  range,
  startTime: NaN,
  duration: NaN,
});
const failed = (request: FailedRound['request'], status = 404, atMs = 0): FailedRound => ({
  isLive: false,
  hasPlayed: false,
  atMs,
  status,
  request,
  message: 'It failed.',
});

/** Runs rounds one after the other; what is left after the last. */
function after(...rounds: readonly FailedRound[]) {
  let trouble = newTrouble(0);
  const steps = rounds.map((round) => {
    const step = withFailure(trouble, round);
    trouble = step.trouble;
    return step;
  });
  return steps.at(-1)!;
}

describe('a failed round', () => {
  it('is tried again when it is the first', () => {
    expect(after(failed(segment(4)))).toMatchObject({ skipToSeconds: null, end: null });
  });

  it('leaves a media segment out that the server twice says it does not have', () => {
    expect(after(failed(segment(4)), failed(segment(4)))).toMatchObject({ skipToSeconds: 7, end: null });
  });

  it('counts a media segment at any rung and on any server', () => {
    const elsewhere = { ...segment(4), url: 'https://other.example/low/3.m4s' };
    expect(after(failed(segment(4)), failed(elsewhere)).skipToSeconds).toBe(7);
  });

  it('never leaves a segment out because the server is down', () => {
    const rounds = Array.from({ length: 20 }, (_, index) => failed(segment(4), index % 2 ? 0 : 503));
    expect(after(...rounds)).toMatchObject({ skipToSeconds: null, end: null });
  });

  it('ends playback at the fifth missing segment in a row', () => {
    const rounds = [0, 2, 4, 6, 8].flatMap((at) => [failed(segment(at)), failed(segment(at))]);
    expect(after(...rounds.slice(0, -1)).end).toBeNull();
    expect(after(...rounds).end).toBe('It failed. 5 segments in a row are missing, so playback ends here.');
  });

  it('leaves one segment of a live stream out, then goes to the live edge with each that is missing', () => {
    const live = (at: number): FailedRound => ({ ...failed(segment(at)), isLive: true });
    const rounds = [live(4), live(4), live(6), live(20), live(22), live(24)];
    const steps = rounds.map((_, index) => after(...rounds.slice(0, index + 1)));
    expect(steps.map(({ skipToSeconds, goesLive }) => (goesLive ? 'live' : skipToSeconds))).toEqual([
      null,
      7,
      ...['live', 'live', 'live', 'live'],
    ]);
    expect(steps.every(({ end }) => end === null)).toBe(true);
    const late = { ...live(26), atMs: GIVE_UP_MS };
    expect(after(...rounds, late).end).toMatch(/Nothing came for 120 s/);
  });

  it.each(['InitializationSegment', 'IndexSegment'])('ends playback where the %s is missing', (type) => {
    const end = after(failed(without(type)), failed(without(type)));
    expect(end.skipToSeconds).toBeNull();
    expect(end.end).toMatch(/^It failed\. No segment can be played without it/);
  });

  it('asks for an initialization segment for two minutes where the stream has played', () => {
    const init = (atMs: number): FailedRound => ({
      ...failed(without('InitializationSegment'), 410, atMs),
      hasPlayed: true,
    });
    expect(after(init(0), init(4000), init(GIVE_UP_MS - 1))).toMatchObject({
      skipToSeconds: null,
      end: null,
    });
    expect(after(init(0), init(4000), init(GIVE_UP_MS)).end).toMatch(/^It failed\. Nothing came for 120 s/);
  });

  it('counts no initialization segment among the segments that are left out', () => {
    const inits = Array.from({ length: 2 }, () => ({
      ...failed(without('InitializationSegment')),
      hasPlayed: true,
    }));
    const rounds = [0, 2, 4, 6].flatMap((at) => [failed(segment(at)), failed(segment(at))]);
    expect(after(...inits, ...rounds)).toMatchObject({ skipToSeconds: 9, end: null });
    const live = [4, 4, 6].map((at) => ({ ...failed(segment(at)), isLive: true }));
    const liveInits = inits.map((init) => ({ ...init, isLive: true }));
    const steps = live.map((_, index) => after(...liveInits, ...live.slice(0, index + 1)));
    expect(steps.map(({ skipToSeconds, goesLive }) => (goesLive ? 'live' : skipToSeconds))).toEqual([
      null,
      7,
      'live',
    ]);
  });

  it('looks for an initialization segment on the next server first, and tells byte ranges apart', () => {
    const init = (url: string, range: string) => failed(without('InitializationSegment', url, range));
    const a = 'https://a.example/v.mp4';
    expect(after(init(a, '0-99'), init('https://b.example/v.mp4', '0-99')).end).toBeNull();
    expect(after(init(a, '0-99'), init(a, '100-199')).end).toBeNull();
  });

  it('ends playback when nothing came for two minutes, and says for how long', () => {
    expect(after(failed(segment(4), 0, GIVE_UP_MS - 1)).end).toBeNull();
    expect(after(failed(segment(4), 0, GIVE_UP_MS)).end).toMatch(/Nothing came for 120 s/);
    expect(after(failed(null, 404, 0), failed(null, 404, 1))).toMatchObject({
      skipToSeconds: null,
      end: null,
    });
  });
});
