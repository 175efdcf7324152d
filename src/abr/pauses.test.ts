import { describe, expect, it } from 'vitest';
import { createPauses } from './pauses.ts';

describe('pauses between downloads', () => {
  it('begin where the last download of the type ended, and are reported once', () => {
    const pauses = createPauses();
    expect(pauses.before('video', 500)).toBeNull();
    pauses.busyUntil('video', 1000);
    expect(pauses.before('audio', 5000)).toBeNull();
    expect(pauses.before('video', 4000)).toEqual({ kind: 'idle', atMs: 1000, durationMs: 3000 });
    expect(pauses.before('video', 4010)).toBeNull();
    expect(pauses.before('video', 4100)).toEqual({ kind: 'idle', atMs: 4000, durationMs: 100 });
  });

  it('are no pauses where the player only did its own work', () => {
    const pauses = createPauses();
    pauses.busyUntil('video', 1000);
    expect(pauses.before('video', 1050)).toBeNull();
    expect(pauses.before('video', 1051)).not.toBeNull();
  });
});
