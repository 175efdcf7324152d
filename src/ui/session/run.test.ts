import { expect, it } from 'vitest';
import type { PlaybackEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { endLogged } from './run.ts';

it('is read from the log, and forgotten when playback begins again', () => {
  let tell: (event: SessionEvent) => void = () => undefined;
  const logged = endLogged({
    subscribe(listener) {
      tell = listener;
      return () => undefined;
    },
  });
  const after = (state: PlaybackEvent['state']): boolean => {
    tell({ kind: 'playback', state } as SessionEvent);
    return logged();
  };
  expect(logged()).toBe(false);
  expect(after('sample')).toBe(false);
  expect(after('ended')).toBe(true);
  expect(after('paused')).toBe(true);
  expect(after('playing')).toBe(false);
});
