import { describe, expect, test } from 'vitest';
import { eventsOf } from './playByHand.testing.ts';
import { withAudio, limiter, play } from './steeredSession.testing.ts';

describe('after a change of pathway', () => {
  const { log } = play('oracle:schedule=main@0_tcp@60', { udp: [limiter(300)] });
  const change = eventsOf(log, 'steering').find(({ fromPathway }) => fromPathway === 'main')!;

  test('the rule begins anew, and receives no download over the other pathway', () => {
    const rules = eventsOf(log, 'rule').map(({ atMs }) => atMs);
    expect(rules).toEqual([0, change.atMs]);
    const from = log.events.findLastIndex(({ kind }) => kind === 'rule');
    const since = eventsOf({ ...log, events: log.events.slice(from) }, 'rule-input');
    expect(since[0]!.input.kind).toBe('ladder');
    const downloads = since.flatMap(({ input }) => (input.kind === 'download' ? [input] : []));
    expect(downloads.length).toBeGreaterThan(10);
    expect(downloads.filter(({ protocol }) => protocol !== 'h2')).toEqual([]);
  });

  test('it knows again what it knew of a pathway that is used again', () => {
    const { log: again } = play('oracle:schedule=main@0_tcp@60_main@90', {});
    const back = eventsOf(again, 'steering').findLast(({ pathway }) => pathway === 'main')!;
    const since = eventsOf(again, 'rule-input').filter(({ atMs }) => atMs >= back.atMs);
    const first = since.find(({ input }) => input.kind === 'download');
    expect(first!.input).toMatchObject({ protocol: 'h3' });
    expect((first!.input as { lastByteMs: number }).lastByteMs).toBeLessThan(60_000);
  });
});

describe('a trial of the pathway that was left', () => {
  const { log } = play('throughput', { udp: [limiter(64, 20_000, 150_000)], content: withAudio });
  const changes = eventsOf(log, 'steering').filter(({ fromPathway }) => fromPathway !== undefined);
  const back = changes.find(({ fromPathway, pathway }) => fromPathway === 'tcp' && pathway === 'main')!;
  const after = changes[changes.indexOf(back) + 1]!;

  test('goes on with what the rule knows, and the log says so', () => {
    expect(changes[0]).not.toHaveProperty('keepsHistory');
    expect(back.keepsHistory).toBe(true);
    const ruleTimes = eventsOf(log, 'rule').map(({ atMs }) => atMs);
    expect(ruleTimes).not.toContain(back.atMs);
    const tried = eventsOf(log, 'decision').filter(
      ({ atMs, mediaType }) => mediaType === 'video' && atMs >= back.atMs && atMs < after.atMs,
    );
    const before = eventsOf(log, 'decision').findLast(
      ({ atMs, mediaType }) => mediaType === 'video' && atMs < back.atMs,
    )!;
    expect(before.rung).toBeGreaterThan(1);
    expect(tried[0]!.rung).toBe(before.rung);
  });

  test('a trial that fails leaves no trace in what the rule knows', () => {
    expect(after).toMatchObject({ fromPathway: 'main', pathway: 'tcp' });
    expect(after).not.toHaveProperty('keepsHistory');
    const inputs = eventsOf(log, 'rule-input').filter(
      ({ atMs, mediaType }) => mediaType === 'video' && atMs > after.atMs && atMs < after.atMs + 4000,
    );
    const downloads = inputs.flatMap(({ input }) => (input.kind === 'download' ? [input] : []));
    expect(downloads.length).toBeGreaterThan(3);
    expect(downloads.filter(({ protocol }) => protocol !== 'h2')).toEqual([]);
  });
});
