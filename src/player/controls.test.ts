import { describe, expect, it, vi } from 'vitest';
import { announceEarlyPlay, controlsOf, NEEDS_A_CLICK, startPlayback } from './controls.ts';
import { resumeAfterReset } from './workarounds.ts';

const refusal = (name: string): Error => Object.assign(new Error(name), { name });

/** The part of a video element that is used, with an autoplay policy. */
function videoThat(policy: (muted: boolean) => Error | null) {
  const target = new EventTarget();
  const video = Object.assign(target, {
    muted: false,
    paused: true,
    currentTime: 3,
    play: vi.fn(async () => {
      const fault = policy(video.muted);
      if (fault) throw fault;
      video.paused = false;
    }),
  });
  return video as typeof video & HTMLVideoElement;
}

describe('starting playback', () => {
  it('is loud where the browser lets it', async () => {
    const video = videoThat(() => null);
    await startPlayback(video);
    expect([video.muted, video.paused]).toEqual([false, false]);
  });

  it('is muted where only silence may start', async () => {
    const video = videoThat((muted) => (muted ? null : refusal('NotAllowedError')));
    await startPlayback(video);
    expect([video.muted, video.paused]).toEqual([true, false]);
  });

  it('says what is needed where nothing may start', async () => {
    await expect(startPlayback(videoThat(() => refusal('NotAllowedError')))).rejects.toThrow(NEEDS_A_CLICK);
  });

  it('leaves an interruption to whoever interrupted, and passes on the rest', async () => {
    await expect(startPlayback(videoThat(() => refusal('AbortError')))).resolves.toBeUndefined();
    await expect(startPlayback(videoThat(() => refusal('NotSupportedError')))).rejects.toThrow(
      'NotSupportedError',
    );
  });
});

describe('a play before the stream is there', () => {
  const setUp = (paused: boolean) => {
    const listeners = new Map<string, () => void>();
    const player = {
      on: (type: string, listener: () => void) => void listeners.set(type, listener),
      off: (type: string) => void listeners.delete(type),
      trigger: vi.fn(),
    };
    const video = Object.assign(
      videoThat(() => null),
      { paused },
    );
    announceEarlyPlay(player as never, video);
    return { player, fire: (type: string) => listeners.get(type)?.() };
  };

  it('reaches dash.js once, which refreshes live manifests only then', () => {
    const { player, fire } = setUp(false);
    fire('streamInitialized');
    fire('streamInitialized');
    expect(player.trigger.mock.calls).toEqual([['playbackStarted', { startTime: 3 }, {}]]);
  });

  it('is not sent when dash.js saw it, or when nothing plays', () => {
    const seen = setUp(false);
    seen.fire('playbackStarted');
    seen.fire('streamInitialized');
    const idle = setUp(true);
    idle.fire('streamInitialized');
    expect([seen.player.trigger, idle.player.trigger].map((each) => each.mock.calls.length)).toEqual([0, 0]);
  });
});

describe('after dash.js has given the element a new source', () => {
  it.each([
    { happened: ['play'], resumed: 1 },
    { happened: ['play', 'pause'], resumed: 0 },
    { happened: ['play', 'ended'], resumed: 0 },
    { happened: [], resumed: 0 },
  ])('having seen $happened, playback is resumed $resumed times', ({ happened, resumed }) => {
    const video = videoThat(() => null);
    const dispose = resumeAfterReset(video);
    for (const type of [...happened, 'canplay']) video.dispatchEvent(new Event(type));
    expect(video.play).toHaveBeenCalledTimes(resumed);
    dispose();
    video.paused = true;
    video.dispatchEvent(new Event('canplay'));
    expect(video.play).toHaveBeenCalledTimes(resumed);
  });
});

describe('a seek while dash.js switches periods', () => {
  /** A player that has sought by itself, as dash.js does when a switch is complete. */
  const setUp = (isLive = false) => {
    const listeners = new Map<string, (event?: object) => void>();
    const video = { currentTime: 3, seeking: false } as HTMLVideoElement & {
      currentTime: number;
      seeking: boolean;
    };
    const move = (toS: number): void => void Object.assign(video, { currentTime: toS, seeking: true });
    let targetS = NaN;
    const setSeekTarget = (toS: number): void => void (targetS = toS);
    const processor = { getBufferController: () => ({ setSeekTarget }) };
    const player = {
      on: (type: string, listener: (event?: object) => void) => void listeners.set(type, listener),
      isReady: () => true,
      isDynamic: () => isLive,
      timeInDvrWindow: () => video.currentTime,
      getActiveStream: () => ({ getStreamProcessors: () => [processor] }),
      seek: vi.fn(move),
      seekToOriginalLive: vi.fn(),
    };
    const controls = controlsOf(player as never, video, {
      onFatal: () => () => undefined,
      expectSeek: vi.fn(),
    });
    return {
      video,
      controls,
      sought: () => player.seek.mock.calls.flat(),
      setSeekTarget,
      target: () => targetS,
      plays: () => {
        Object.assign(video, { seeking: false });
        listeners.get('playbackPlaying')?.();
      },
      begins: (start: number) =>
        listeners.get('periodSwitchStarted')?.({ toStreamInfo: { start, duration: 24 } }),
      /** toS: where dash.js seeks; null: nowhere, the period before was played to its end. */
      switched: (toS: number | null) => {
        if (toS !== null) move(toS);
        listeners.get('periodSwitchCompleted')?.();
      },
    };
  };

  it('leaves no place of the seek before to which dash.js would go back', () => {
    const { controls, setSeekTarget, target } = setUp();
    setSeekTarget(40);
    controls.seek(10_000);
    expect(target()).toBeNaN();
  });

  it('is repeated once when dash.js has sought the place of the seek before', () => {
    const { controls, sought, switched } = setUp();
    controls.seek(40_000);
    controls.seek(10_000);
    switched(40);
    expect(sought()).toEqual([40, 10, 10.001]);
    switched(40);
    expect(sought()).toHaveLength(3);
  });

  it('is repeated where the switch of the seek before began after it, though it has been played', () => {
    const { controls, sought, plays, begins, switched } = setUp();
    controls.seek(40_000);
    controls.seek(10_000);
    plays();
    begins(24);
    switched(40);
    expect(sought()).toEqual([40, 10, 10.001]);
  });

  it('is not repeated where its own switch begins, or that to the next period', () => {
    const { video, controls, sought, plays, begins, switched } = setUp();
    controls.seek(40_000);
    begins(24);
    plays();
    switched(null);
    video.currentTime = 47.9;
    begins(48);
    switched(null);
    expect(sought()).toEqual([40]);
  });

  it('is not repeated where it was not lost, or has been played', () => {
    const { controls, sought, plays, switched } = setUp();
    controls.seek(40_000);
    switched(40);
    controls.seek(71_900);
    // The end: dash.js stays half a second before it.
    switched(71.5);
    controls.seek(10_000);
    plays();
    switched(60);
    expect(sought()).toEqual([40, 71.9, 10]);
  });

  it('is not repeated in a live stream, whose window moves', () => {
    const { controls, sought, switched } = setUp(true);
    controls.seek(30_000);
    switched(24);
    expect(sought()).toEqual([30]);
  });

  it('is not repeated where a period was played to its end', () => {
    const { video, controls, sought, switched } = setUp();
    controls.seek(10_000);
    Object.assign(video, { currentTime: 24, seeking: false });
    switched(null);
    expect(sought()).toEqual([10]);
  });
});
