import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Draft } from '../event.ts';
import { exampleLog } from '../exampleLog.testing.ts';
import type { Schema } from '../schema/checkOf.ts';
import { fittedHeader } from '../schema/fitted.ts';
import { readSession } from '../schema/readSession.ts';
import { SessionEvent, SessionHeader } from '../schema/sessionLog.ts';
import { partsOf, samplesOf, valuesAround } from '../schemaValues.testing.ts';
import { createRecorder } from './recorder.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Events of a file. All values of a kind, many of them as long as they may be, are more than one string can hold. */
const EVENTS_OF_A_FILE = 1000;

/** Returns the events that are in the log after these drafts, as files of it are read back. */
function logged(drafts: readonly unknown[]): readonly SessionEvent[] {
  const events: SessionEvent[] = [];
  const recorder = createRecorder({ onEvent: (event) => void events.push(event) });
  for (const draft of drafts) recorder.record(draft as Draft);
  const back: SessionEvent[] = [];
  for (let from = 0; from < events.length; from += EVENTS_OF_A_FILE) {
    const part = events.slice(from, from + EVENTS_OF_A_FILE);
    const read = readSession(JSON.stringify({ ...exampleLog(), events: part }));
    if (!read.ok) expect.fail(read.error);
    back.push(...read.value.events);
  }
  return back;
}

/** Returns the draft of an event from `samplesOf`, without its id, which the recorder gives, and with references to nothing. */
function draftOf(sample: unknown): Fields {
  if (typeof sample !== 'object' || sample === null) return { kind: 'stall' };
  const draft = Object.fromEntries(Object.entries(sample).filter(([key]) => key !== 'id'));
  return { ...draft, ...('requestId' in draft && { requestId: null }) };
}

test('each kind of event has a letter of its own', () => {
  const { reserveId } = createRecorder({ onEvent: () => undefined });
  const kinds = SessionEvent.anyOf.map((schema) => schema.properties.kind.const);
  const ids = kinds.map(reserveId);
  expect(new Set(ids).size).toBe(kinds.length);
  expect(ids.filter((id) => !/^[a-z]1$/.test(id))).toEqual([]);
});

/** Number of a kind's values that a plain run takes, evenly spread. */
const SAMPLE = 401;

function sampleOf<Value>(values: readonly Value[]): readonly Value[] {
  if (process.env['PITWALL_FULL'] === '1' || values.length <= SAMPLE) return values;
  return Array.from({ length: SAMPLE }, (_, index) => values[Math.floor((index * values.length) / SAMPLE)]!);
}

describe('whatever is recorded, the log is valid', () => {
  test.each(SessionEvent.anyOf.map((schema) => [schema.properties.kind.const, schema] as const))(
    '%s',
    (kind, schema) => {
      const drafts = sampleOf(valuesAround(schema as Schema))
        .map(draftOf)
        // What is no event of this kind is none of the page's own drafts.
        .filter((draft) => draft['kind'] === kind);
      expect(drafts.length).toBeGreaterThan(90);
      const events = logged(drafts);
      expect(events.filter((event) => event.kind === kind).length).toBeGreaterThan(drafts.length / 3);
    },
  );
});

/** Each numeric, text and list part of an event, and a way to put something else there. */
function* placesIn(schema: Schema): Generator<{ part: Schema; put: (value: unknown) => Fields }> {
  const seen = new Set<string>();
  for (const sample of samplesOf(schema).map(draftOf))
    for (const { part, path } of leaves(schema, sample)) {
      const place = `${path.join('/')} ${part.type}`;
      if (seen.has(place)) continue;
      seen.add(place);
      yield { part, put: (value) => withValue(sample, path, value) as Fields };
    }
}

function leaves(
  schema: Schema,
  sample: unknown,
  path: readonly string[] = [],
): { part: Schema; path: string[] }[] {
  const own = (schema.anyOf ?? [schema]).filter((part) => typeOf(part) === typeOf(sample));
  return own.flatMap((part) => {
    const here = [{ part, path: [...path] }];
    if (typeof sample !== 'object' || sample === null) return here;
    const inner = Object.entries(sample).flatMap(([key, value]) => {
      const below = part.items ?? part.properties?.[key] ?? Object.values(part.patternProperties ?? {})[0];
      return below ? leaves(below, value, [...path, key]) : [];
    });
    return [...here, ...inner];
  });
}

function typeOf(value: unknown): string {
  const type = (value as Schema | null)?.type;
  if (
    typeof type === 'string' &&
    ['number', 'integer', 'string', 'array', 'object', 'null', 'boolean'].includes(type)
  )
    return type === 'integer' ? 'number' : type;
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function withValue(whole: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const changed = withValue((whole as Fields)[key], rest, value);
  return Array.isArray(whole)
    ? Object.assign([...whole], { [key]: changed })
    : { ...(whole as Fields), [key]: changed };
}

const NUMBERS = [NaN, Infinity, -Infinity, -1, -1e308, 1e308, 0.5, -0.5, 2 ** 53, 1e13 + 1];
/** Lists that may be longer are not tried: they take longer than they tell. */
const LONG_LIST = 1000;

describe('every bound of the schema, at every place where it stands', () => {
  test.each(SessionEvent.anyOf.map((schema) => [schema.properties.kind.const, schema] as const))(
    '%s',
    (_kind, schema) => {
      let numbers = 0;
      const drafts: Fields[] = [];
      for (const { part, put } of placesIn(schema as Schema)) {
        if (part.type === 'number' || part.type === 'integer') {
          numbers += 1;
          drafts.push(...NUMBERS.map(put));
        }
        if (part.type === 'string' && part.maxLength !== undefined)
          drafts.push(put('é'.repeat(part.maxLength + 1)), put('\ud800'), put(''));
        if (part.type === 'array' && part.maxItems! <= LONG_LIST) {
          const entry = samplesOf(part.items!).at(-1);
          drafts.push(put(Array.from({ length: part.maxItems! + 1 }, () => entry)), put([]));
        }
      }
      expect(numbers).toBeGreaterThan(0);
      logged(drafts);
    },
  );

  test('the header', () => {
    let fitting = 0;
    for (const header of sampleOf(valuesAround(SessionHeader as Schema)) as SessionHeader[]) {
      const fits = fittedOrNull(header);
      const read = fits && readSession(JSON.stringify({ ...fits, events: [] }));
      if (read?.ok === false) expect.fail(read.error);
      fitting += Number(read !== null);
    }
    expect(fitting).toBeGreaterThan(150);
  });
});

/** Ids, clock and the like are the page's own: a header in which they are wrong is a fault of the page. */
function fittedOrNull(header: SessionHeader): SessionHeader | null {
  try {
    return fittedHeader(header);
  } catch (fault) {
    expect(String(fault)).toContain('No session log can have the header');
    return null;
  }
}

test('what fits is not touched', () => {
  for (const event of exampleLog().events) {
    const draft = Object.fromEntries(Object.entries(event).filter(([key]) => key !== 'id'));
    const events: SessionEvent[] = [];
    const recorder = createRecorder({ onEvent: (event) => void events.push(event) });
    const recorded = recorder.record(draft as unknown as Draft);
    expect(events).toEqual([recorded]);
    expect(isDeepStrictEqual({ ...draft, id: recorded.id }, recorded)).toBe(true);
  }
});

describe('what does not fit is changed, and the log says so once', () => {
  const ladder = (bitrateKbps: number, rungs = 1): unknown => ({
    kind: 'ladder',
    atMs: 1,
    missing: { language: 'not-sent', segmentMs: 'too-early' },
    mediaType: 'video',
    periodId: 'p',
    language: null,
    segmentMs: null,
    rungs: Array.from({ length: rungs }, () => ({
      representationId: 'v',
      bitrateKbps,
      width: 1e9,
      height: 360,
      codecs: '',
    })),
  });
  const manifest = (durationMs: number): unknown => ({
    kind: 'manifest',
    atMs: 1,
    missing: {},
    url: 'https://a.test/',
    type: 'static',
    lowLatency: false,
    durationMs,
    minBufferMs: 2000,
    periods: 1,
  });

  test('a number that null may stand for is null, with a reason', () => {
    expect(logged([manifest(-5000), manifest(-1)])).toMatchObject([
      { kind: 'manifest', durationMs: null, missing: { durationMs: 'out-of-range' } },
      {
        kind: 'error',
        source: 'telemetry',
        code: 'out-of-range',
        fatal: false,
        message:
          'A log cannot hold the values of this manifest event, so the log has the nearest value: ' +
          '/durationMs should be a number from 0 to 31622400000 or null, but it is -5000.',
      },
      { kind: 'manifest', durationMs: null },
    ]);
  });

  test('another number is the nearest that there may be, and a list is cut', () => {
    const [event, ...errors] = logged([ladder(1e300, 10_000)]);
    expect(event).toMatchObject({ kind: 'ladder', rungs: { length: 1000 } });
    expect((event as { rungs: unknown[] }).rungs[0]).toMatchObject({ bitrateKbps: 1e9, width: null });
    expect(errors.map((error) => (error as { message: string }).message)).toEqual([
      expect.stringContaining('/rungs should be a list of 1 to 1000 entries'),
      expect.stringContaining(
        '/rungs/0/bitrateKbps should be a number from 0 to 1000000000, but it is 1e+300.',
      ),
      expect.stringContaining('/rungs/0/width should be a whole number from 0 to 100000'),
    ]);
  });

  test('an event that nothing can be made of is left out', () => {
    expect(logged([{ kind: 'visibility', atMs: 1, missing: {}, hidden: 'smell' }])).toMatchObject([
      { kind: 'error', code: 'out-of-range', message: expect.stringContaining('the event is left out') },
    ]);
  });

  test('what is unfinished fits, too', () => {
    const recorder = createRecorder({ onEvent: () => undefined });
    recorder.keepOpen(manifest(NaN) as Draft, 'm1');
    const read = readSession(JSON.stringify({ ...exampleLog(), events: recorder.openEvents() }));
    expect(read).toMatchObject({ ok: true, value: { events: [{ durationMs: null }] } });
  });
});

test('no bound of the schema is without a test', () => {
  const kinds = new Set(partsOf({ anyOf: SessionEvent.anyOf as never }).map(({ type }) => type ?? 'union'));
  expect([...kinds].sort()).toEqual([
    'array',
    'boolean',
    'integer',
    'null',
    'number',
    'object',
    'string',
    'union',
  ]);
});

test('an event of a kind that is not recorded here is left out, and the log says so once', () => {
  const events: SessionEvent[] = [];
  const { record } = createRecorder({ onEvent: (event) => events.push(event) });
  const draft = { kind: 'telepathy', atMs: 5, missing: {} } as unknown as Parameters<typeof record>[0];
  record(draft);
  record(draft);
  expect(events).toMatchObject([
    {
      kind: 'error',
      atMs: 5,
      message:
        'A log cannot hold the values of this telepathy event, so the event is left out: /kind should be a kind that is recorded here, but it is "telepathy".',
    },
  ]);
});
