import { describe, expect, test } from 'vitest';
import { exampleDecision, exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { DecisionEvent, ErrorEvent, RequestEvent, StallEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { faultsOf } from '../../shared/registry.ts';
import { MIN_STALL_MS } from '../../shared/stalls.ts';
import { createDiagnostics, formatFinding, diagnostics } from './diagnostics.ts';

const FACTS = exampleLog();
let made = 0;

function request(atMs: number, changes: Partial<RequestEvent> = {}): RequestEvent {
  made += 1;
  const { tookMs = 50, ...rest } = changes as Partial<RequestEvent> & { tookMs?: number };
  const times = { atMs, firstByteMs: atMs, endMs: atMs + tookMs };
  return exampleRequest({ id: `r${made}`, segment: made, ...times, ...rest });
}
const took = (tookMs: number): Partial<RequestEvent> => ({ tookMs }) as Partial<RequestEvent>;
const failed: Partial<RequestEvent> = { outcome: 'network-error', status: null, protocol: null };
const stall = (atMs: number, durationMs: number | null): StallEvent => {
  made += 1;
  const missing = durationMs === null ? ({ durationMs: 'in-flight' } as const) : {};
  return { kind: 'stall', id: `s${made}`, atMs, playheadMs: atMs, durationMs, missing };
};
const error = (source: ErrorEvent['source'], code: string, changes: Partial<ErrorEvent> = {}): ErrorEvent => {
  made += 1;
  const base = { kind: 'error', id: `e${made}`, atMs: 5000, source, code, message: 'It broke.' } as const;
  return { ...base, requestId: null, fatal: false, missing: { requestId: 'not-applicable' }, ...changes };
};
const hidden = (atMs: number, is: boolean): SessionEvent => {
  made += 1;
  return { kind: 'visibility', id: `v${made}`, atMs, hidden: is, missing: {} };
};
const frames = (atMs: number, decoded: number, dropped: number): SessionEvent => {
  made += 1;
  return { kind: 'frames', id: `f${made}`, atMs, decoded, dropped, missing: {} };
};
const loaded = (atMs: number, levelMs: number, mediaType: 'video' | 'audio' = 'video'): SessionEvent => {
  made += 1;
  return { kind: 'buffer', id: `b${made}`, atMs, mediaType, levelMs, missing: {} };
};
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

function texts(
  events: readonly SessionEvent[],
  { session = FACTS, open }: { session?: typeof FACTS; open?: readonly SessionEvent[] } = {},
): string[] {
  const found = createDiagnostics(session);
  for (const event of events) found.append(event);
  return found
    .findings(open)
    .map((finding) => `${finding.severity} ${finding.atMs}: ${formatFinding(finding)}`);
}

const hides = (origin: string): Partial<RequestEvent> => ({
  url: `${origin}/v/1.m4s?t=*`,
  protocol: null,
  firstByteMs: null,
  missing: { protocol: 'no-tao', firstByteMs: 'no-tao' },
});

test('the registry has no faults', () => expect(faultsOf(diagnostics)).toEqual([]));

test('a server that ignores Range is named, with what each request cost', () => {
  const ranged = { range: '0-999', status: 200 } as const;
  expect(texts([request(7, ranged), request(9, ranged), request(11, { ...ranged, status: 206 })])).toEqual([
    'warning 7: The server ignores Range: 2 requests for a part of a file got the whole file (status 200 instead of 206): ' +
      'use a server that answers byte ranges, or a file for each segment',
  ]);
});

test('a session without faults has no findings', () => expect(texts(exampleLog().events)).toEqual([]));

const CACHED =
  'note 7: The browser’s cache answered 2 requests without a connection, which does not show the network: let the origin send Cache-Control: no-store';
const NO_ENTRY =
  'note 7: Protocol and phases of 2 requests are unknown: the browser has no timing entry for them, or several alike.';

describe('timing', () => {
  test('an origin without Timing-Allow-Origin, each with its count and first moment', () => {
    const b = hides('https://cdn-b.example');
    expect(texts([request(900, b), request(300, b), request(500, hides('https://c.example:8443'))])).toEqual([
      'warning 300: https://cdn-b.example sends no Timing-Allow-Origin, so protocol and phases of 2 requests are unknown: add the header Timing-Allow-Origin: *',
      'warning 500: https://c.example:8443 sends no Timing-Allow-Origin, so protocol and phases of 1 request are unknown: add the header Timing-Allow-Origin: *',
    ]);
  });
  test('after a redirect either origin may be the one', () => {
    const event = { ...request(1, hides('https://a.example')), finalUrl: 'https://b.example/x' };
    expect(texts([event])[0]).toContain(
      'https://a.example or https://b.example sends no Timing-Allow-Origin',
    );
  });
  test('a hundred hostile origins stay a bounded list', () => {
    const many = texts(times(100, (index) => request(index, hides(`https://o${index}.example`))));
    expect(many).toHaveLength(21);
    expect(many.at(-1)).toContain(
      'Another origin sends no Timing-Allow-Origin, so protocol and phases of 80 requests',
    );
  });
  test.each([
    ['cached', CACHED],
    ['revalidated', CACHED],
    [
      'service-worker',
      'note 7: A service worker of the page answered 2 requests; whether it asked the network is unknown.',
    ],
    ['range-ambiguous', NO_ENTRY],
    [
      'range-cache',
      'warning 7: The browser asked for 2 byte ranges through its cache, so the protocol is unknown: choose the preset Experiment, which bypasses the cache, or let the origin send Cache-Control: no-store',
    ],
    ['no-entry', NO_ENTRY],
  ] as const)('%s', (reason, text) => {
    const unknown = { protocol: null, missing: { protocol: reason } };
    expect(texts([request(9, unknown), request(7, unknown), request(8)])).toEqual([text]);
  });
});

describe('failed requests', () => {
  test('one that succeeds on retry: on which protocol and when', () =>
    expect(
      texts([
        request(1000, { ...failed, ...took(4000), segment: 12 }),
        request(5500, { ...took(700), segment: 12, rung: 0, protocol: 'h2', attempt: 1 }),
      ]),
    ).toEqual([
      'warning 1000: A video request of level 2 got no complete response after 4.0 s; it succeeded on retry over h2 1.2 s later.',
    ]));
  test('one that has not succeeded since is a problem', () =>
    expect(texts([request(1000, { outcome: 'http-error', status: 404, segment: 3 }), request(2000)])).toEqual(
      [
        'problem 1000: A video request of level 2 over h3 got HTTP 404 after 0.1 s; it has not succeeded since: check that the origin has the files of the manifest; in a live stream, that its clock and the player’s agree',
      ],
    ));
  test('several of one cause are one finding, each cause its own', () => {
    const unavailable = { outcome: 'http-error', status: 503 } as const;
    const found = texts([
      request(1000, { ...unavailable, segment: 1 }),
      request(2000, { ...unavailable, segment: 1 }),
      request(3000, { segment: 1 }),
      request(4000, { ...unavailable, segment: 2 }),
      request(5000, { outcome: 'timeout', status: null, protocol: null, mediaType: 'audio', ...took(8000) }),
    ]);
    expect(found).toEqual([
      'problem 1000: 3 requests got HTTP 503, the first a video request of level 2 after 0.1 s; 2 of them succeeded on retry over h3, 2.0 s later at most.',
      'problem 5000: An audio request of level 2 got no complete response before the player’s time-out after 8.0 s; it has not succeeded since: set the player’s time-out above the longest outage',
    ]);
  });
  test('what the player took back itself did not fail', () =>
    expect(texts([request(1, { outcome: 'aborted', status: null, protocol: null })])).toEqual([]));
  test('a manifest is named as one and found again by its address', () => {
    const mpd = { type: 'manifest', mediaType: null, segment: null, url: 'https://o/x.mpd' } as const;
    expect(texts([request(0, { ...failed, ...mpd }), request(500, mpd)])).toEqual([
      'warning 0: A manifest request got no complete response after 0.1 s; it succeeded on retry over h3 0.5 s later.',
    ]);
  });
});

test('a manifest that cannot be had is one problem, by what ended playback', () => {
  const mpd = { type: 'manifest', mediaType: null, segment: null, url: 'https://o/x.mpd' } as const;
  const ended = error('player', 'ended', { fatal: true });
  expect(texts([request(0, { ...failed, ...mpd }), ended])).toHaveLength(1);
  expect(texts([request(0, failed), ended])).toHaveLength(2);
});

describe('protocol switches', () => {
  test('after a failed request, with what stayed on TCP and that h3 came back', () =>
    expect(
      texts([
        request(0),
        request(1000, { ...failed, segment: 9 }),
        request(2000, { protocol: 'h2', segment: 9 }),
        request(4000, { protocol: 'h2' }),
        request(6000),
      ])[1],
    ).toBe(
      'warning 2000: Protocol switch from h3 to h2 after a request got no complete response; 2 requests in 2.0 s used h2, then h3 came back.',
    ));
  test('without any failed request, a late success', () =>
    expect(texts([request(0), request(1000, { protocol: 'h2', ...took(7300) })])).toEqual([
      'warning 1000: Protocol switch from h3 to h2 without a failed request, the first answer over h2 took 7.3 s; 1 request in 7.3 s used h2, h3 has not come back since.',
    ]));
  test('discovery, h2 before h3, is none', () =>
    expect(texts([request(0, { protocol: 'h2' }), request(100, { protocol: 'h2' }), request(200)])).toEqual(
      [],
    ));
  test('another origin is none', () =>
    expect(texts([request(0), request(100, { protocol: 'h2', url: 'https://other.example/1' })])).toEqual(
      [],
    ));
  test('audio beside video is not reported twice; unknown protocols change nothing', () => {
    const unknown = { protocol: null, missing: { protocol: 'not-supported' } } as const;
    const audio = { mediaType: 'audio' } as const;
    const turn = [request(0), request(10, audio), request(20, unknown), request(30, { protocol: 'h2' })];
    expect(texts([...turn, request(40, { ...audio, protocol: 'h2' })])).toHaveLength(1);
    expect(texts([request(0, audio), request(1, { ...audio, protocol: 'h2' })])).toHaveLength(1);
  });
  test('flapping stays a short list, and no text mentions races', () => {
    const flaps = texts(times(40, (index) => request(index * 100, { protocol: index % 2 ? 'h2' : 'h3' })));
    expect(flaps).toHaveLength(6);
    expect(flaps.at(-1)).toMatch(/null: Media left h3 15 more times/);
    expect(flaps.slice(0, -1).join()).not.toMatch(/rac(e|ing)/i);
  });
});

describe('stalls', () => {
  test('a wait that is too short for a stall is no problem, also not among those that are only counted', () => {
    expect(texts([stall(3000, 0.8), stall(4000, MIN_STALL_MS - 1)])).toEqual([]);
    expect(texts(times(9, (index) => stall(index * 10_000, index < 6 ? 1000 : 0.8))).at(-1)).toBe(
      'problem null: Playback stalled 1 more time.',
    );
  });
  test('with the request that was in flight, whether it is recorded before or after', () => {
    const slow = request(1000, { ...took(6100), protocol: 'h2' });
    const text =
      'problem 3000: Playback stalled for 3.9 s; a video request of level 2 was in flight then, it took 6.1 s over h2: 0.33 Mbit/s came, and playing it takes 1.00 Mbit/s.';
    expect(texts([slow, stall(3000, 3900)])).toEqual([text]);
    expect(texts([stall(3000, 3900), slow])).toEqual([text]);
  });
  test('with the longest of several', () => {
    const audio = request(2900, { mediaType: 'audio', ...took(300) });
    const slow = request(1000, { ...took(6100), protocol: null, missing: { protocol: 'no-entry' } });
    expect(texts([audio, slow, stall(3000, 1000)])[0]).toContain(
      '2 requests were in flight then, a video request of level 2 took 6.1 s: 0.33 Mbit/s came',
    );
  });
  test.each([
    [{ ...failed }, 'was in flight then, it got no complete response after 4.0 s'],
    [{ outcome: 'aborted', status: null, protocol: null }, 'was in flight then, it was aborted after 4.0 s'],
  ] as const)('with one that did not succeed', (changes, words) =>
    expect(texts([request(1000, { ...changes, ...took(4000) }), stall(2000, 500)]).join()).toContain(words),
  );
  describe('that a segment caused which came too slowly', () => {
    // 2 s of media with 500 kB: 2 Mbit/s play, 1 Mbit/s came.
    const slow = { ...took(4000), segment: 7, rung: 2, receivedBytes: 500_000, mediaDurationMs: 2000 };
    const decided = (changes: Partial<DecisionEvent>): DecisionEvent =>
      exampleDecision({ id: 'd9', atMs: 900, segment: 7, rung: 2, ...changes });
    const after = (decision: readonly SessionEvent[]): string =>
      texts([...decision, request(1000, slow), stall(3000, 1500)]).join();
    const RATES = 'it took 4.0 s over h3: 1.00 Mbit/s came, and playing it takes 2.00 Mbit/s';
    test('the estimate of the rule is named', () =>
      expect(after([decided({ estimateKbps: 3200 })])).toContain(
        `${RATES}. The rule had estimated 3.20 Mbit/s.`,
      ));
    test.each([
      ['without a decision', []],
      ['with a decision for another segment', [decided({ segment: 6, estimateKbps: 3200 })]],
      ['where the rule had not estimated more', [decided({ estimateKbps: 800 })]],
    ])('%s', (_name, decisions) => expect(after(decisions)).toMatch(new RegExp(`${RATES}\\.$`)));
    test('a part of a segment says nothing of the whole', () =>
      expect(
        texts([request(1000, { ...slow, continues: 'r1', range: '9-' }), stall(3000, 1500)]).join(),
      ).toContain('it took 4.0 s over h3.'));
  });
  test('with nothing in flight', () =>
    expect(texts([request(0), stall(3000, 500)])).toEqual([
      'problem 3000: Playback stalled for 0.5 s; no media request was in flight then.',
    ]));
  test('that goes on now, with what is in flight now', () => {
    const open = [stall(3000, null), request(1000, { outcome: 'in-flight', status: null, endMs: null })];
    const text =
      'problem 3000: Playback stalled and has not gone on since; a video request of level 2 was in flight then, it has not ended yet.';
    expect(texts([], { open })).toEqual([text]);
    expect(texts(open)).toEqual([text]);
  });
  test('the five longest are listed, the others summed up', () => {
    const found = texts(times(8, (index) => stall(index * 10_000, 1000 + index * 100)));
    expect(found).toHaveLength(6);
    expect(found.at(-1)).toBe('problem null: Playback stalled 3 more times.');
    expect(found[0]).toContain('problem 30000: Playback stalled for 1.3 s');
  });
});

describe('surroundings', () => {
  test('hidden tab, also when it is still hidden', () => {
    expect(
      texts([hidden(1000, true), hidden(5000, false), hidden(8000, true), frames(10_000, 1, 0)]),
    ).toEqual([
      'note 1000: The tab was hidden for 6.0 s (2 times), where browsers slow timers down and draw no frames.',
    ]);
    expect(texts([hidden(1000, false)])).toEqual([]);
  });
  test('a gap in the recording, which also ends what was hidden before it', () => {
    const part = { startMs: 42_000, endMs: null, gapMs: 12_000, timeOriginUnixMs: 1 };
    const session = { ...FACTS, parts: [...FACTS.parts, part] };
    expect(texts([hidden(29_000, true), request(50_000)], { session })).toEqual([
      'note 29000: The tab was hidden for 1.0 s, where browsers slow timers down and draw no frames.',
      'note 30000: Nothing was recorded for 12.0 s, until the page was loaded again and the session resumed.',
    ]);
  });
  test('dropped frames above 1 %, counted on after a reload', () => {
    expect(texts([frames(1000, 500, 5)])).toEqual([]);
    expect(texts([frames(1000, 500, 4), frames(9000, 500, 26)])).toEqual([
      'warning 1000: This computer was too busy to show 26 of 500 frames; the network is not the cause.',
    ]);
    expect(texts([frames(1000, 500, 20), frames(9000, 300, 6)])[0]).toContain('26 of 800 frames');
    expect(texts([frames(100, 30, 20)])).toEqual([]);
  });
  test('frames that came too late, apart from those that the machine dropped', () => {
    const late = [loaded(0, 1000), frames(1000, 480, 0), loaded(1500, 90), frames(2000, 504, 20)];
    const problem = (frames: string): string =>
      `problem 2000: ${frames} came too late, because less than 0.2 s of video was loaded: the picture stands while sound plays on.`;
    expect(texts(late)).toEqual([problem('20 of 504 frames')]);
    // The decoder catches up for 2 s after 90 ms grew to 400; what it drops later, the machine dropped.
    const after = [loaded(2500, 400), frames(5000, 576, 30), frames(6000, 600, 45)];
    expect(texts([...late, ...after])).toEqual([
      problem('30 of 600 frames'),
      'warning 6000: This computer was too busy to show 15 of 504 frames; the network is not the cause.',
    ]);
  });
  test('an empty buffer at the start, and of audio, is no cause of late frames', () => {
    const start = [loaded(0, 0), frames(1000, 200, 9), loaded(1100, 900)];
    expect(texts([...start, loaded(1200, 0, 'audio'), frames(2000, 224, 20)])).toEqual([
      expect.stringContaining('too busy to show 20 of 224 frames'),
    ]);
  });
  test('rule errors, by rule', () =>
    expect(texts([error('rule', 'mine'), error('rule', 'mine'), error('rule', 'other')])).toEqual([
      'warning 5000: A rule failed 2 times, playback stayed on its level: “It broke”.',
      'warning 5000: A rule failed 1 time, playback stayed on its level: “It broke”.',
    ]));
  test('sizes that were not to be had, and what the rule does without them', () =>
    expect(texts([error('player', 'sizes')])).toEqual([
      'warning 5000: It broke. The rule assumes bitrate × duration instead.',
    ]));
  test('what ended playback; a notice of the player did not', () =>
    expect(texts([error('player', 'dashjs-25', { fatal: true }), error('player', 'dashjs-27')])).toEqual([
      'problem 5000: Playback failed: “It broke”.',
    ]));
  test('all media on http/1.1, unless the browser was started so', () => {
    const h1 = times(5, (index) => request(100 + index, { protocol: 'http/1.1' }));
    const text =
      'warning 100: All 5 media requests with a known protocol used http/1.1, so transports cannot be compared: h2 and h3 need https, a certificate that this browser trusts (npm start prints the command) and an origin that offers them (ALPN, Alt-Svc)';
    expect(texts(h1)).toEqual([text]);
    expect(texts(h1.slice(1))).toEqual([]);
    expect(texts([...h1, request(900, { protocol: 'h2' })])).toEqual([]);
    const session = { ...FACTS, environment: { ...FACTS.environment, transport: 'h1' as const } };
    expect(texts(h1, { session })).toEqual([]);
  });
});

test('what goes on now comes before what is over', () => {
  const found = createDiagnostics(FACTS);
  for (const event of [stall(1000, 500), request(2000, failed)]) found.append(event);
  const open = [stall(9000, null)];
  expect(found.findings(open).map(({ id, isCurrent = false }) => [id.split(':')[0], isCurrent])).toEqual([
    ['failed-requests', true],
    ['stall', true],
    ['stall', false],
  ]);
  // A failure beside the media changes nothing, and a segment that comes ends it.
  found.append(request(2500, { ...failed, type: 'steering', mediaType: null }));
  expect(found.findings(open).filter(({ isCurrent }) => isCurrent)).toHaveLength(2);
  found.append(request(3000));
  expect(found.findings([]).filter(({ isCurrent }) => isCurrent)).toEqual([]);
});

test('a level that the ladder lacks', () => {
  const fixedAt = (rung: number, wishedRung: number): SessionEvent =>
    exampleDecision({ rule: 'fixed', rung, values: { wishedRung } });
  expect(texts([fixedAt(2, 2)])).toEqual([]);
  expect(texts([fixedAt(2, 98), fixedAt(2, 98)])).toEqual([
    'warning 100: The rule asks for level 99, but the highest level of this stream is 3, so that one was played: choose a level from 1 to 3',
  ]);
  const audio = exampleDecision({ rule: 'fixed', mediaType: 'audio', rung: 1, values: { wishedRung: 3 } });
  expect(texts([audio, fixedAt(3, 3)])).toEqual([]);
});

test('the worst come first, then the earliest', () => {
  const unknown = { protocol: null, missing: { protocol: 'cached' } } as const;
  const found = texts([request(1, unknown), frames(2, 500, 50), stall(9000, 500), stall(3000, 500)]);
  expect(found.map((text) => text.split(':')[0])).toEqual([
    'problem 3000',
    'problem 9000',
    'warning 2',
    'note 1',
  ]);
});

test('hostile strings stay text and stay short', () => {
  const markup = `<img src=x onerror=alert(1)>${'x'.repeat(4000)}`;
  const [text] = texts([error('media', 'media-3', { fatal: true, message: markup })]);
  expect(text).toContain('<img src=x onerror=alert(1)>');
  expect(text!.length).toBeLessThan(400);
  expect(
    texts([request(1, { ...hides('x'), url: `not a url ${'y'.repeat(9000)}` })])[0]!.length,
  ).toBeLessThan(300);
});

test('a day of faults stays in bounded memory: findings do not grow with their number', () => {
  const found = createDiagnostics(FACTS);
  const day = times(20_000, (index) => [
    request(index * 4000, { ...failed, segment: index, url: `https://o${index}.example/x` }),
    stall(index * 4000, 1000),
    error('rule', `rule-${index}`),
  ]).flat();
  for (const event of day) found.append(event);
  expect(found.findings().length).toBeLessThan(40);
});
