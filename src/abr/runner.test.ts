import { describe, expect, it } from 'vitest';
import type { Rule, RuleContext, RuleEvent, SizesEvent } from './rule.ts';
import { createRuleRunner, type RuleRunner, createSizeTable } from './runner.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from './testMoments.testing.ts';

/** Answers with the kinds of the events so far, and what it can look up of segment 0; throws on `throwsOn`. */
const spy = (throwsOn: string | null = null): Rule => ({
  id: 'spy',
  label: 'Spy',
  paper: 'none, a rule of this test',
  parameters: {},
  start(context) {
    if (throwsOn === 'start') throw new Error('cannot start');
    return { context, kinds: [] };
  },
  observe(state, event) {
    const { context, kinds } = state as { context: RuleContext; kinds: string[] };
    if (event.kind === throwsOn) throw new Error(`cannot digest ${event.kind}`);
    const known = `${event.kind}:${context.sizeBytes(0, 0)}/${context.sizesFrom()}`;
    return { context, kinds: [...kinds, known] };
  },
  decide(state) {
    if (throwsOn === 'decide') throw new Error('cannot decide');
    return { rung: 0, because: (state as { kinds: string[] }).kinds.join(' ') };
  },
});

const sizes: RuleEvent = {
  kind: 'sizes',
  atMs: 0,
  from: 'head',
  rung: 0,
  firstSegment: 0,
  sizesBytes: [42],
};
const ladder: RuleEvent = { kind: 'ladder', atMs: 0, ladder: ladderOf(300), segmentMs: 2000 };

function running(throwsOn: string | null = null): { runner: RuleRunner; faults: string[] } {
  const faults: string[] = [];
  const onFault = (fault: unknown): void => void faults.push((fault as Error).message);
  return { runner: createRuleRunner(spy(throwsOn), contextOf(ladderOf(300)), onFault), faults };
}
const input = ({ runner }: { runner: RuleRunner }, ...events: RuleEvent[]): unknown => {
  for (const event of events) runner.tell(event);
  return runner.ask(momentOf()).because;
};

describe('a rule at work', () => {
  it('is asked before it receives an event', () => {
    expect(input(running())).toBe('');
  });

  it('looks up sizes before it receives their event, and none before it receives a new ladder', () => {
    expect(input(running(), downloadOf(1), sizes, ladder, sizes)).toBe(
      'download:null/null sizes:42/head ladder:null/null sizes:42/head',
    );
  });

  it('keeps its state when it cannot digest an event, reports it once, and goes on', () => {
    const at = running('stall');
    const stall: RuleEvent = { kind: 'stall', atMs: 0, durationMs: 1 };
    expect(input(at, downloadOf(1), stall, downloadOf(1))).toBe('download:null/null download:null/null');
    expect(at.faults).toEqual(['cannot digest stall']);
  });

  it('does not lose sizes over a rule that cannot digest them', () => {
    const at = running('sizes');
    expect(input(at, sizes, downloadOf(1))).toBe('download:42/head');
    expect(at.faults).toEqual(['cannot digest sizes']);
  });

  it('reports a start that throws on an event, and throws it when asked', () => {
    const at = running('start');
    at.runner.tell(downloadOf(1));
    expect(at.faults).toEqual(['cannot start']);
    expect(() => at.runner.ask(momentOf())).toThrow('cannot start');
  });

  it('throws what a decision throws, and stays usable', () => {
    const at = running('decide');
    expect(() => at.runner.ask(momentOf())).toThrow('cannot decide');
    at.runner.tell(downloadOf(1));
    expect(at.faults).toEqual([]);
  });
});

const sizesOf = (rung: number, firstSegment: number, ...sizesBytes: (number | null)[]): SizesEvent => ({
  kind: 'sizes',
  atMs: 0,
  from: 'sidx',
  rung,
  firstSegment,
  sizesBytes,
});
const tableOf = (...events: SizesEvent[]) => {
  const table = createSizeTable();
  for (const event of events) table.learn(event);
  return table;
};

describe('the table of sizes', () => {
  it.each([
    { name: 'nothing learnt', events: [], segment: 0, rung: 0, bytes: null },
    { name: 'the first of a list', events: [sizesOf(1, 5, 100, 200)], segment: 5, rung: 1, bytes: 100 },
    { name: 'the next of a list', events: [sizesOf(1, 5, 100, 200)], segment: 6, rung: 1, bytes: 200 },
    { name: 'before a list', events: [sizesOf(1, 5, 100, 200)], segment: 4, rung: 1, bytes: null },
    { name: 'after a list', events: [sizesOf(1, 5, 100, 200)], segment: 7, rung: 1, bytes: null },
    { name: 'another rung', events: [sizesOf(1, 5, 100, 200)], segment: 5, rung: 0, bytes: null },
    { name: 'a hole in a list', events: [sizesOf(0, 0, 100, null, 300)], segment: 1, rung: 0, bytes: null },
    {
      name: 'a hole does not wipe what was known',
      events: [sizesOf(0, 1, 7), sizesOf(0, 0, 100, null)],
      segment: 1,
      rung: 0,
      bytes: 7,
    },
    {
      name: 'the later list wins',
      events: [sizesOf(0, 0, 1), sizesOf(0, 0, 2)],
      segment: 0,
      rung: 0,
      bytes: 2,
    },
  ])('$name', ({ events, segment, rung, bytes }) => {
    expect(tableOf(...events).sizeBytes(segment, rung)).toBe(bytes);
  });

  it('names its latest source, and none when there is nothing', () => {
    expect(tableOf().from()).toBeNull();
    expect(tableOf(sizesOf(0, 0, 1), { ...sizesOf(1, 0, 2), from: 'head' }).from()).toBe('head');
  });

  it('forgets all on `clear`', () => {
    const table = tableOf(sizesOf(0, 0, 1));
    table.clear();
    expect(table.sizeBytes(0, 0)).toBeNull();
    expect(table.from()).toBeNull();
  });
});
