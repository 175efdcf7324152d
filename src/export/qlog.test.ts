import { describe, expect, test } from 'vitest';
import { everything } from './exampleSession.testing.ts';
import type { SessionFormat } from './sessionFormat.ts';
import { hasEvents, type QlogEvent } from './qlogEvents.ts';
import { qlog, qlogSeq } from './qlog.ts';

const convert = (format: SessionFormat): string => {
  const made = format.convert(everything, { screen: '', fps: null });
  if (!made.ok) throw new Error(made.error);
  return made.value.text;
};
const events = hasEvents(everything);
const named = (name: string): readonly QlogEvent['data'][] =>
  events.filter((event) => event.name === name).map(({ data }) => data);

/** The vocabulary, with the fields that an event must have: draft-qlog-has-events.md, all of its definitions. */
const VOCABULARY: Readonly<Record<string, readonly string[]>> = {
  'playback:stream_initialised': ['autoplay'],
  'playback:stream_end': ['playhead'],
  'playback:metadata_loaded': ['protocol', 'url'],
  'playback:player_interaction': ['state', 'playhead'],
  'playback:player_state': ['state', 'playhead'],
  'playback:stall': ['playhead'],
  'playback:playhead_progress': ['playhead'],
  'playback:quality_changed': ['media_type', 'to'],
  'abr:representation_switch': ['media_type', 'to'],
  'abr:metrics_updated': [],
  'buffer:occupancy_update': ['media_type', 'buffer'],
  'network:request': ['media_type', 'resource_url'],
  'network:request_update': ['resource_url', 'bytes_received'],
  'network:request_abort': ['resource_url'],
};
const OURS = ['pitwall:decision', 'pitwall:race', 'error:application_error'];

describe('events', () => {
  test('all of the vocabulary that a log can fill, and our own events under names of their own', () => {
    const names = new Set(events.map(({ name }) => name));
    expect([...names].sort()).toEqual([...Object.keys(VOCABULARY), ...OURS].sort());
  });

  test('each has the fields that its definition wants', () => {
    for (const { name, data } of events)
      for (const wanted of VOCABULARY[name] ?? []) expect(data, name).toHaveProperty(wanted);
  });

  test('ascend in time, which qvis insists on', () => {
    const times = events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.every(Number.isFinite)).toBe(true);
  });

  test('numbers are those of the log', () => {
    expect(named('buffer:occupancy_update')).toEqual([{ media_type: 'video', buffer: { level_ms: 4321 } }]);
    expect(named('playback:stall').map(({ duration_ms }) => duration_ms)).toEqual([650, null]);
    expect(named('playback:quality_changed')).toEqual([
      { media_type: 'video', to: { id: 'v2', bitrate: 4_000_000 } },
    ]);
    expect(named('abr:representation_switch')).toEqual([
      { media_type: 'video', to: { id: 'v2', bitrate: 4_000_000 }, from: { id: 'v1' } },
    ]);
    expect(named('abr:metrics_updated')).toMatchObject([
      { smoothed_rtt: 21.5, min_rtt: 19, congestion_window: 15_000 },
      { dropped_frames: 7 },
    ]);
    expect(named('playback:player_interaction').map(({ state }) => state)).toEqual([
      ...['play', 'pause', 'seek', 'playback_rate'],
    ]);
    expect(named('playback:player_state').map(({ state }) => state)).toEqual([
      ...['playing', 'paused', 'playing', 'stopped'],
    ]);
    expect(named('playback:stream_initialised')).toEqual([{ autoplay: true }]);
  });

  test('requests begin and end where they did; a request without reported bytes has no update', () => {
    const of = (name: string, id: string) =>
      events.filter((event) => event.name === `network:${name}` && event.data['request_id'] === id);
    expect(of('request', 'q1')).toMatchObject([{ time: 1001.5, data: { request_range: '0-4999' } }]);
    expect(of('request_update', 'q1')).toMatchObject([
      { time: 1100.75, data: { bytes_received: 5000, protocol: 'h2', first_byte_ms: 1050.25 } },
    ]);
    expect(of('request_abort', 'q3')).toMatchObject([{ time: 3300 }]);
    expect(of('request_update', 'q4')).toEqual([]);
    expect(of('request', 'r1')).toMatchObject([{ data: { media_type: 'manifest' } }]);
  });
});

describe('files', () => {
  test('JSON: a header that says what it is first, one trace with all events', () => {
    const text = convert(qlog);
    expect(text.slice(0, 1024)).toMatch(/^\{"qlog_version":"0\.3","qlog_format":"JSON"/);
    const file = JSON.parse(text) as { traces: { common_fields: object; events: unknown }[] };
    expect(file.traces).toHaveLength(1);
    expect(file.traces[0]!.common_fields).toEqual({
      protocol_type: ['HAS'],
      time_format: 'relative',
      reference_time: everything.clock.startedAtUnixMs,
    });
    expect(file.traces[0]!.events).toEqual(events);
  });

  test('JSON-SEQ: records between a record separator and a line feed, the header first', () => {
    const text = convert(qlogSeq);
    const records = text.split('\x1e');
    expect(records.shift()).toBe('');
    expect(records.every((record) => record.endsWith('\n'))).toBe(true);
    const [head, ...rest] = records.map((record) => JSON.parse(record) as unknown);
    expect(head).toMatchObject({
      qlog_version: '0.3',
      qlog_format: 'JSON-SEQ',
      trace: { title: 'synthetic-example' },
    });
    expect(rest).toEqual(events);
  });
});
