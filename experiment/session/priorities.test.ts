import { describe, expect, it } from 'vitest';
import { priorityFault } from './priorities.ts';
import { exampleLog, exampleRequest } from '../../src/telemetry/exampleLog.testing.ts';
import type { Priority } from '../../src/shared/split.ts';

const SEGMENTS = [
  ['/a/1.m4s', { mediaType: 'audio', rung: 0 }],
  ['/v0/1.m4s', { mediaType: 'video', rung: 0 }],
  ['/v3/2.m4s', { mediaType: 'video', rung: 3 }],
] as const;

/** What the page says, and the `Priority` headers of sound, of the lowest level and of another one. */
const faultOf = (
  priority: Priority,
  headers: readonly (string | null)[],
  { said = priority as string | null, protocol = 'h3' as 'h2' | 'h3' | 'http/1.1' } = {},
) => {
  const log = exampleLog({
    segments: 0,
    extra: SEGMENTS.map(([path, about], index) =>
      exampleRequest({
        id: `s${index}`,
        type: 'media',
        url: `https://a.origin.test:8443${path}?x=1`,
        ...about,
      }),
    ),
  });
  const environment = { ...log.environment, ...(said !== null && { priority: said }) };
  const asked = SEGMENTS.map(([path], index) => {
    const header = headers[index];
    return { uri: `${path}?x=1`, protocol, requestHeaders: header == null ? {} : { priority: header } };
  });
  return priorityFault({ ...log, environment }, { priority }, [
    { uri: '/index.html', protocol, requestHeaders: { priority: 'u=0, i' } },
    ...asked,
  ]);
};

describe('priorities on the wire', () => {
  it.each([
    ['browser', ['u=1, i', 'u=1, i', 'u=1, i']],
    ['audio-first', ['u=1, i', 'i', 'i']],
    ['lowest-first', ['u=1, i', 'u=1, i', 'i']],
    // Firefox' own.
    ['audio-first', ['u=4', 'u=5', 'u=5']],
  ] as const)('%s: %j are as planned', (priority, headers) => expect(faultOf(priority, headers)).toBeNull());

  it.each([
    ['browser', ['u=1, i', 'i', 'i'], 'the origin received u=1 and u=3'],
    ['audio-first', ['u=1, i', 'u=1, i', 'u=1, i'], 'the origin received u=1, and u=1 for the later ones'],
    ['audio-first', [null, null, null], 'the origin received u=3, and u=3 for the later ones'],
    ['lowest-first', ['u=1, i', 'i', 'i'], 'the origin received u=1 and u=3, and u=3 for the later ones'],
  ] as const)('%s: %j are not', (priority, headers, sentence) =>
    expect(faultOf(priority, headers)).toBe(
      `its segments were to be asked for by "${priority}", and ${sentence}`,
    ),
  );

  it('http/1.1 has none', () => {
    const headers = ['u=1, i', 'u=1, i', 'u=1, i'];
    expect(faultOf('audio-first', headers, { protocol: 'http/1.1' })).toBeNull();
  });

  it('a page that knows no priorities did not ask by them', () =>
    expect(faultOf('audio-first', ['u=1', 'i', 'i'], { said: null })).toBe(
      'its segments were to be asked for by "audio-first", and it says nothing',
    ));
});
