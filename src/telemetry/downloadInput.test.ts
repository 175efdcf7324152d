import { describe, expect, it } from 'vitest';
import type { RequestEvent } from './event.ts';
import { downloadInput } from './downloadInput.ts';

describe('a recorded request as a rule input', () => {
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
    transferSizeBytes: 5300,
    encodedBodyBytes: 5000,
    missing: {},
    bitrateKbps: 750,
    representationId: 'b',
    rung: null,
    segment: 3,
    protocol: 'h3',
    connectionReused: true,
  } as unknown as RequestEvent;
  const input = (over: Partial<RequestEvent> = {}) => downloadInput({ ...request, ...over }, () => 1);

  it('has the papers’ download time: request to last byte', () => {
    expect(input()).toEqual({
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

  it('leaves out the waits for chunks of a segment in the making', () => {
    expect(input({ activeMs: 80 })).toMatchObject({ firstByteMs: 150, lastByteMs: 230 });
    expect(input({ activeMs: 900 })).toMatchObject({ lastByteMs: 400 });
    expect(input({ activeMs: 80, firstByteMs: null })).toMatchObject({ lastByteMs: 400 });
  });

  it('falls back on what the player saw where the browser hides the phases', () => {
    expect(input({ startMs: null, firstByteMs: null, lastByteMs: null })).toMatchObject({
      startMs: 90,
      firstByteMs: null,
      lastByteMs: 405,
    });
  });

  it.each(['aborted', 'timeout', 'network-error'] as const)('is aborted when it ended as %s', (outcome) => {
    expect(input({ outcome })?.aborted).toBe(true);
  });

  it('has the bytes that travelled, not those that were unpacked', () => {
    expect(input({ receivedBytes: 20_000 })?.sizeBytes).toBe(5000);
    const hidden = { transferSizeBytes: null, encodedBodyBytes: null };
    expect(input({ ...hidden, outcome: 'aborted', receivedBytes: 700 })?.sizeBytes).toBe(700);
  });

  it('of a service worker is one, because all may be', () => {
    const missing = { protocol: 'service-worker' } as const;
    expect(input({ transferSizeBytes: 0, protocol: null, missing })?.sizeBytes).toBe(5000);
  });

  it.each<Partial<RequestEvent>>([
    { transferSizeBytes: 0, protocol: null, missing: { protocol: 'cached' } },
    { transferSizeBytes: 300 },
    { type: 'init' },
    { mediaType: 'text' },
    { mediaType: null },
    { receivedBytes: 0 },
    { receivedBytes: null },
    { outcome: 'in-flight' },
    { lastByteMs: null, endMs: null },
    { bitrateKbps: null },
  ])('is nothing with %o', (over) => expect(input(over)).toBeNull());

  it('is nothing on an unknown rung', () => {
    expect(downloadInput(request, () => null)).toBeNull();
    expect(downloadInput({ ...request, rung: 2 }, () => null)?.rung).toBe(2);
  });
});
