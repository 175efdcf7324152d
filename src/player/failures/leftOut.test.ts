import { describe, expect, it, vi } from 'vitest';
import { leftOutOf, offeredIn, watchLeftOut, type DashManifest, type DashRepresentation } from './leftOut.ts';

const isDecodable = (type: string): boolean => !/hvc1|ec-3/.test(type);

const video = (id: string, codecs: string): DashRepresentation => ({
  id,
  codecs,
  mimeType: 'video/mp4',
  width: 640,
  height: 360,
});
const audio = (id: string, codecs: string): DashRepresentation => ({ id, codecs, mimeType: 'audio/mp4' });

type Sets = readonly (readonly DashRepresentation[])[];
const manifest = (...periods: readonly Sets[]): DashManifest => ({
  Period: periods.map((sets) => ({ AdaptationSet: sets.map((Representation) => ({ Representation })) })),
});

/** What is said when a filter leaves only what can be decoded. */
function said(...periods: readonly Sets[]) {
  const offered = offeredIn(manifest(...periods));
  const left = periods.map((sets) =>
    sets.map((set) => set.filter(({ codecs = '' }) => isDecodable(codecs))).filter((set) => set.length > 0),
  );
  return leftOutOf(offered, manifest(...left), isDecodable);
}

const [avc, hevc, hevc4k] = [video('v1', 'avc1'), video('v2', 'hvc1.1'), video('v3', 'hvc1.2')];
const [aac, eac3] = [audio('a1', 'mp4a.40.2'), audio('a2', 'ec-3')];

describe('representations that are left out', () => {
  it('are none where everything is played', () => {
    expect(said([[avc], [aac]])).toEqual({ notices: [], fatal: null });
  });

  it('are named with their codecs and sizes, in a set that has others and in one that has none', () => {
    const sentence =
      'This browser cannot decode hvc1.1, hvc1.2, the codec of the video representations v2 (640×360), ' +
      'v3 (640×360); 2 of 3 are left out.';
    expect(said([[avc, hevc, hevc4k], [aac]])).toEqual({ notices: [sentence], fatal: null });
    expect(said([[avc], [hevc, hevc4k], [aac]])).toEqual({ notices: [sentence], fatal: null });
  });

  it('end playback where no video is left, also when there is sound', () => {
    expect(said([[hevc], [aac]])).toEqual({
      notices: [],
      fatal:
        'This browser cannot decode hvc1.1, the codec of the video representations v2 (640×360), ' +
        'and the stream has no other video, so nothing is played.',
    });
  });

  it('are no end where only the sound is gone', () => {
    const { notices, fatal } = said([[avc], [eac3]]);
    expect(fatal).toBeNull();
    expect(notices).toEqual([
      'This browser cannot decode ec-3, the codec of the audio representations a2, ' +
        'and the stream has no other audio: it plays without audio.',
    ]);
  });

  it('are reported with the period that has nothing else', () => {
    const { notices, fatal } = said([[avc]], [[hevc]], [[avc]]);
    expect(fatal).toBeNull();
    expect(notices[0]).toMatch(/; 1 of 3 are left out\. Period 2 plays without video\.$/);
  });

  it('have another reason where the browser has the decoder', () => {
    const { notices } = leftOutOf(offeredIn(manifest([[avc, hevc]])), manifest([[hevc]]), () => true);
    expect(notices[0]).toMatch(/video representations v1 \(640×360\): their size, rate or an essential/);
  });

  it('stay one readable sentence, however many they are', () => {
    const many = Array.from({ length: 10_000 }, (_each, index) => video(`v${index}`, 'hvc1.1'));
    expect(said([[avc, ...many]]).notices[0]).toMatch(/v5 \(640×360\) and 9994 more; 10000 of 10001 are/);
  });
});

describe('the watch', () => {
  it('looks after the filter, tells once for all refreshes, and nothing after its end', () => {
    const listeners = new Map<string, (event: unknown) => void>();
    const player = {
      on: (name: string, listener: (event: unknown) => void) => void listeners.set(name, listener),
      off: (name: string) => void listeners.delete(name),
    } as unknown as Parameters<typeof watchLeftOut>[0];
    const [notify, fail] = [vi.fn(), vi.fn()];
    const dispose = watchLeftOut(player, { notify, fail }, isDecodable);
    for (let refresh = 0; refresh < 2; refresh += 1) {
      const data = { Period: [{ AdaptationSet: [{ Representation: [avc, hevc] }] }] };
      listeners.get('manifestLoaded')!({ data });
      data.Period[0]!.AdaptationSet[0]!.Representation = [avc];
      listeners.get('timeSynchronizationComplete')!({});
    }
    expect(notify).toHaveBeenCalledTimes(1);
    expect(fail).not.toHaveBeenCalled();
    dispose();
    expect(listeners.size).toBe(0);
  });

  it('says nothing of sets for trick play, which are left out of many a stream', () => {
    const listeners = new Map<string, (event: unknown) => void>();
    const on = (name: string, listener: (event: unknown) => void) => void listeners.set(name, listener);
    const notify = vi.fn();
    watchLeftOut({ on, off: vi.fn() } as never, { notify, fail: notify }, isDecodable);
    const SupplementalProperty = [{ schemeIdUri: 'http://dashif.org/guidelines/trickmode' }];
    const AdaptationSet = [{ SupplementalProperty, Representation: [hevc] }, { Representation: [avc] }];
    const data = { Period: [{ AdaptationSet }] };
    listeners.get('manifestLoaded')!({ data });
    listeners.get('timeSynchronizationComplete')!({});
    expect(data.Period[0]!.AdaptationSet).toEqual([{ Representation: [avc] }]);
    expect(notify).not.toHaveBeenCalled();
  });
});
