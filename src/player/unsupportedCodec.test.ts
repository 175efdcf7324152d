import { describe, expect, it, vi } from 'vitest';
import { unsupportedSentence, watchUnsupportedCodecs } from './unsupportedCodec.ts';

const hevc = {
  mimeType: 'video/mp4',
  __children: [
    { nodeName: 'Representation', codecs: 'hvc1.1.6.L93.90' },
    { nodeName: 'Representation', codecs: 'hvc1.1.6.L120.90' },
    { nodeName: 'SegmentTemplate' },
  ],
};

describe('tracks that the browser has no decoder for', () => {
  it('are named with their codecs, and with what that means', () => {
    expect(unsupportedSentence(hevc, false)).toBe(
      'This browser cannot decode the video in hvc1.1.6.L93.90, hvc1.1.6.L120.90, ' +
        'and the stream has no other: it plays without video.',
    );
    expect(unsupportedSentence({ contentType: 'audio', codecs: 'ec-3' }, true)).toBe(
      'This browser cannot decode the audio in ec-3, so it is left out; the stream has other audio.',
    );
    expect(unsupportedSentence({}, true)).toMatch(/some of the media/);
  });

  it('are told once, however often the manifest is refreshed, and no more after the end', () => {
    const listeners = new Set<(event: unknown) => void>();
    const tell = vi.fn();
    const player = {
      on: (_name: string, listener: (event: unknown) => void) => void listeners.add(listener),
      off: (_name: string, listener: (event: unknown) => void) => void listeners.delete(listener),
    };
    const dispose = watchUnsupportedCodecs(
      player as unknown as Parameters<typeof watchUnsupportedCodecs>[0],
      tell,
    );
    const event = { adaptationSet: hevc, remainingAdaptationSets: [] };
    for (const listener of listeners) [1, 2].forEach(() => listener(event));
    expect(tell).toHaveBeenCalledTimes(1);
    dispose();
    expect(listeners.size).toBe(0);
  });
});
