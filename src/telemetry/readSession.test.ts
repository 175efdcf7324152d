import { describe, expect, test } from 'vitest';
import { besideFlows } from '../analysis/timeline/example.testing.ts';
import { exampleDecision, exampleLog, exampleRequest } from './exampleLog.testing.ts';
import { readSession } from './schema/readSession.ts';
import type { SessionLog } from './schema/sessionLog.ts';

const GOOD = JSON.stringify(exampleLog());

test('a good log is read as it is', () => {
  expect(readSession(GOOD)).toEqual({ ok: true, value: exampleLog() });
});

test.each<[string, unknown]>([
  ['foo', 1],
  ['missing', { a: 'x' }],
])('a page whose scripts added %j to every object reads a good log', (name, value) => {
  Object.defineProperty(Object.prototype, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  let read: ReturnType<typeof readSession>;
  try {
    read = readSession(GOOD);
  } finally {
    delete (Object.prototype as Record<string, unknown>)[name];
  }
  expect(read).toMatchObject({ ok: true });
});

test('a log from before there was a simulator does not say that none played', () => {
  const older = environment({ simulator: undefined }, { simulator: undefined });
  expect(readSession(older)).toMatchObject({ ok: true });
});

const withFlow = (changes: object): object => {
  const flow = { fromMs: 0, toMs: 2000, bytesBySecond: [1000, 2000] };
  const { load, secondsFromUnixMs, flows } = besideFlows(exampleLog(), [flow]).environment.beside!;
  return { load, secondsFromUnixMs, flows: [{ ...flows[0]!, ...changes }] };
};

test('flows beside the viewer are read, also one that never had a connection', () => {
  const never = { openedAtUnixMs: null, missing: { openedAtUnixMs: 'failed' } };
  for (const changes of [{}, never])
    expect(readSession(environment({ beside: withFlow(changes) }))).toMatchObject({ ok: true });
});

describe('what is wrong is said in one sentence, and where', () => {
  const files: [what: string, text: string, sentence: RegExp][] = [
    ['empty', '', /^The file is empty\.$/],
    ['blank', ' \n', /^The file is empty\.$/],
    ['not JSON', '<html>', /^The file is not JSON\.$/],
    ['cut off', GOOD.slice(0, 900), /^The file is cut off: .* after 900 characters\.$/],
    ['another JSON', '[1]', /not a session log: the top is not an object/],
    ['no schema', '{}', /not a session log: \/schema should be "pitwall-session\/2"/],
    [
      'a newer schema',
      '{"schema":"pitwall-session/3"}',
      /^The file is of schema "pitwall-session\/3"; this version of Pitwall reads "pitwall-session\/2"\.$/,
    ],
    [
      'an older schema',
      '{"schema":"pitwall-session/1"}',
      /^The file is of schema "pitwall-session\/1"; this version of Pitwall reads "pitwall-session\/2"\.$/,
    ],
    ['a hostile schema', '{"schema":"<img onerror=alert(1)>"}', /^This is JSON, but not a session log: /],
    ['no events', '{"schema":"pitwall-session/2"}', /no list of events at \/events/],
    [
      'a bad header',
      changed({ id: 'a b' }),
      /header is wrong: \/id should be text of 1 to 80 characters that match .*, but it is "a b"\.$/,
    ],
    ['an unknown header field', changed({ more: 1 }), /header is wrong: \/more should not be there\.$/],
    [
      'no part',
      changed({ parts: [] }),
      /\/parts should be a list of 1 to 10000 entries, but it is a list of 0\.$/,
    ],
    [
      'a null environment without reason',
      environment({ link: null }, { link: undefined }),
      /^\/environment: link is null and \/missing gives no reason\.$/,
    ],
    [
      'an unknown transport',
      environment({ transport: 'h9' }),
      /environment\/transport should be "h1" or "h2" or .* or null, but it is "h9"\.$/,
    ],
    [
      'a flow beside the viewer whose null has no reason',
      environment({ beside: withFlow({ openedAtUnixMs: null }) }),
      /^\/environment\/beside\/flows\/0: openedAtUnixMs is null and \/missing gives no reason\.$/,
    ],
    [
      'a flow beside the viewer with a reason for what is known',
      environment({ beside: withFlow({ missing: { openedAtUnixMs: 'failed' } }) }),
      /^\/environment\/beside\/flows\/0: \/missing gives a reason for "openedAtUnixMs", which is not null\.$/,
    ],
    [
      'a flow of no transport',
      environment({ beside: withFlow({ transport: 'sctp' }) }),
      /\/environment\/beside\/flows\/0\/transport should be "tcp" or "quic", but it is "sctp"\.$/,
    ],
  ];
  test.each(files)('%s', (_what, text, sentence) => expect(faultOf(text)).toMatch(sentence));

  const events: [what: string, event: unknown, sentence: RegExp][] = [
    ['no object', 7, /^\/events\/9: unknown kind of event "?not there"?\.$/],
    ['an unknown kind', { kind: '__proto__' }, /^\/events\/9: unknown kind of event "__proto__"\.$/],
    [
      'a missing field',
      { kind: 'buffer', id: 'b1', atMs: 1, missing: {}, mediaType: 'video' },
      /^\/events\/9 \(buffer\): \/levelMs should be a number .*, but it is not there\.$/,
    ],
    [
      'an unknown field',
      { ...buffer(), html: '<b>' },
      /^\/events\/9 \(buffer\): \/html should not be there\.$/,
    ],
    [
      'a negative level',
      buffer({ levelMs: -1 }),
      /\/levelMs should be a number from 0 to 31622400000, but it is -1\.$/,
    ],
    ['a level beyond all bounds', buffer({ levelMs: 1e300 }), /\/levelMs should be .*, but it is 1e\+300\.$/],
    ['a number as text', buffer({ levelMs: '7' }), /\/levelMs .* but it is "7"\.$/],
    [
      'an id with markup',
      buffer({ id: '<img src=x onerror=alert(1)>' }),
      /\/id should be text of .*, but it is "<img src=x onerror=alert\(1\)>"\.$/,
    ],
    ['an empty id', buffer({ id: '' }), /\/id should be text of 1 to 80 .*, but it is ""\.$/],
    ['an object for a number', buffer({ levelMs: { a: 1 } }), /\/levelMs .*, but it is an object\.$/],
    [
      'a reason beside a value',
      buffer({ missing: { levelMs: 'failed' } }),
      /reason for "levelMs", which is not null\.$/,
    ],
    ['a reason for nothing', buffer({ missing: { nothing: 'failed' } }), /reason for "nothing"/],
    ['an unknown reason', buffer({ missing: { levelMs: 'because' } }), /\/missing\/levelMs/],
    ['the id of another event', buffer({ id: 'r1' }), /^Two events have the id "r1"\.$/],
    [
      'a decision for a request that is not there',
      exampleDecision({ id: 'd99', requestId: 'r99' }),
      /^\/events\/9: requestId names a request that is not in the log\.$/,
    ],
    [
      'a decision for what is no request',
      exampleDecision({ id: 'd99', requestId: 'm1' }),
      /requestId names a request/,
    ],
  ];
  test.each(events)('an event with %s', (_what, event, sentence) =>
    expect(faultOf(withEvent(event))).toMatch(sentence),
  );

  test('a null field without its reason', () => {
    const request = exampleRequest({ id: 'r99', protocol: null });
    delete request.missing['protocol'];
    expect(faultOf(withEvent(request))).toBe(
      '/events/9 (request): protocol is null and /missing gives no reason.',
    );
  });

  test('a number too large for JSON', () => {
    expect(faultOf(withEvent(buffer({ levelMs: 7 })).replace('"levelMs":7', '"levelMs":1e999'))).toMatch(
      /\/levelMs/,
    );
  });

  test('a value nested deeper than it can be written', () => {
    const deep = '['.repeat(1e6) + ']'.repeat(1e6);
    const text = withEvent(buffer({ levelMs: 7 })).replace('"levelMs":7', `"levelMs":${deep}`);
    expect(faultOf(text)).toMatch(/\/levelMs should be .*, but it is a list of \d+\.$/);
  });

  test('is short, however long the value or its name', () => {
    expect(faultOf(withEvent({ ...buffer(), ['x'.repeat(1e6)]: 1 })).length).toBeLessThan(300);
    const fault = faultOf(withEvent(buffer({ id: 'x'.repeat(1e6) })));
    expect(fault.length).toBeLessThan(300);
  });
});

test('text from outside is only text: a hostile URL is read, not refused', () => {
  const url = '"><img src=x onerror=alert(1)>javascript:alert(1)';
  const text = withEvent(exampleRequest({ id: 'r99', url }));
  const read = readSession(text);
  expect(read.ok && read.value.events.at(-1)).toMatchObject({ url });
});

test('a day of playing is read in seconds', () => {
  const log = exampleLog({ segments: 10_000 });
  const started = performance.now();
  expect(readSession(JSON.stringify(log)).ok).toBe(true);
  // 20,000 of the largest events; seen: 0.2 s. A day has 10 times as many.
  expect(performance.now() - started).toBeLessThan(5000);
});

function faultOf(text: string): string {
  const read = readSession(text);
  return read.ok ? 'read' : read.error;
}

function buffer(changes: object = {}) {
  return { kind: 'buffer', id: 'b1', atMs: 1, mediaType: 'video', levelMs: 0, missing: {}, ...changes };
}

function changed(changes: object): string {
  return JSON.stringify({ ...exampleLog(), ...changes });
}

function withEvent(event: unknown): string {
  const log = exampleLog();
  return JSON.stringify({ ...log, events: [...log.events, event] });
}

function environment(changes: object, missing: object = {}): string {
  const { environment: before } = exampleLog() as SessionLog;
  return changed({ environment: { ...before, ...changes, missing: { ...before.missing, ...missing } } });
}
