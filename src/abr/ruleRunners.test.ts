import { describe, expect, it } from 'vitest';
import type { Rule, RuleEvent, SizesEvent } from './rule.ts';
import { downloadOf, ladderOf, momentOf } from './testMoments.testing.ts';
import { createRuleRunners } from './ruleRunners.ts';

/** A rule that remembers its inputs. */
const diary: Rule<readonly string[]> = {
  id: 'diary',
  label: 'Diary',
  paper: 'none: made for this test',
  parameters: {},
  start: ({ mediaType }) => [mediaType],
  observe: (state, event) => [...state, event.kind],
  decide: (state) => ({ rung: 0, because: state.join(' ') }),
};
const offer = { ladder: ladderOf(300, 750), segmentMs: 4000 };

const setUp = (rule: Rule, sizes: readonly SizesEvent[] = []) => {
  const recorded: (readonly [string, RuleEvent])[] = [];
  const faults: unknown[] = [];
  const runners = createRuleRunners({
    nowMs: () => 5000,
    record: (...input) => `t${recorded.push(input)}`,
    isLive: () => false,
    onFault: (thrown) => void faults.push(thrown),
    seed: 1,
    sizesOf: (mediaType) => (mediaType === 'audio' ? sizes : []),
  });
  runners.use(rule);
  const diaryOf = (mediaType: 'video' | 'audio', offered = offer): unknown =>
    runners.ask(mediaType, offered, momentOf()).because;
  return { runners, recorded, faults, diaryOf };
};

describe('the runners of a rule', () => {
  it('are one per media type, and each receives every event', () => {
    const { runners, diaryOf } = setUp(diary);
    expect(diaryOf('video')).toBe('video ladder');
    runners.tellAll(downloadOf(1000));
    expect(diaryOf('video')).toBe('video ladder download');
    expect(diaryOf('audio')).toBe('audio ladder download');
    runners.tell('audio', { kind: 'idle', atMs: 0, durationMs: 100 });
    expect(diaryOf('video')).toBe('video ladder download');
    expect(diaryOf('audio')).toBe('audio ladder download idle');
  });

  it('begin anew over another pathway, or go on where the history is kept', () => {
    const { runners, diaryOf } = setUp(diary);
    diaryOf('video');
    runners.tellAll(downloadOf(1000), 'main');
    runners.usePathway({ pathway: 'tcp', keepsHistory: false });
    expect(diaryOf('video')).toBe('video ladder');
    runners.tellAll(downloadOf(2000), 'tcp');
    runners.usePathway({ pathway: 'main', keepsHistory: true });
    expect(diaryOf('video')).toBe('video ladder download');
    runners.tellAll(downloadOf(3000), 'main');
    runners.tellAll(downloadOf(4000), 'tcp');
    expect(diaryOf('video')).toBe('video ladder download download');
    expect(diaryOf('audio')).toBe('audio ladder download download');
    runners.usePathway({ pathway: 'tcp', keepsHistory: false });
    // What it measured in the trial is gone, what ended over the other pathway meanwhile is there.
    expect(diaryOf('video')).toBe('video ladder download download');
  });

  it('receive a changed ladder before they are asked, and only then', () => {
    const { diaryOf } = setUp(diary);
    diaryOf('video');
    expect(diaryOf('video', { ...offer, ladder: ladderOf(300, 750) })).toBe('video ladder');
    expect(diaryOf('video', { ...offer, ladder: ladderOf(300) })).toBe('video ladder ladder');
  });

  it('receive known sizes after each ladder, and before what they had missed', () => {
    const known = {
      kind: 'sizes',
      atMs: 0,
      from: 'sidx',
      rung: 0,
      firstSegment: 0,
      sizesBytes: [9],
    } as const;
    const { runners, diaryOf } = setUp(diary, [known]);
    runners.tellAll(downloadOf(1000));
    expect(diaryOf('audio')).toBe('audio ladder sizes download');
    expect(diaryOf('audio', { ...offer, ladder: ladderOf(300) })).toBe(
      'audio ladder sizes download ladder sizes',
    );
    expect(diaryOf('video')).toBe('video ladder download');
  });

  it('record each input when they receive it', () => {
    const { runners, recorded, diaryOf } = setUp(diary);
    diaryOf('video');
    runners.tellAll(downloadOf(1000));
    expect(recorded.map(([mediaType, { kind }]) => [mediaType, kind])).toEqual([
      ['video', 'ladder'],
      ['video', 'download'],
    ]);
  });

  it('name the last input of a rule, per media type', () => {
    const { runners, diaryOf } = setUp(diary);
    expect(runners.inputId('video')).toBeNull();
    diaryOf('video');
    diaryOf('audio');
    expect([runners.inputId('video'), runners.inputId('audio')]).toEqual(['t1', 't2']);
    runners.tellAll(downloadOf(1000));
    expect([runners.inputId('video'), runners.inputId('audio')]).toEqual(['t3', 't4']);
  });

  it('bring a rule that takes over up to date, with a bounded memory', () => {
    const { runners, diaryOf } = setUp(diary);
    for (let index = 0; index < 100; index += 1) runners.tellAll(downloadOf(1000));
    runners.use(diary);
    expect(String(diaryOf('video')).split(' ')).toHaveLength(2 + 40);
  });

  it('survive a rule that cannot digest an event', () => {
    const picky: Rule<readonly string[]> = {
      ...diary,
      observe: (state, event) => {
        if (event.kind === 'stall') throw new Error('no stalls please');
        return [...state, event.kind];
      },
    };
    const { runners, faults, diaryOf } = setUp(picky);
    diaryOf('video');
    runners.tellAll({ kind: 'stall', atMs: 0, durationMs: 1 });
    runners.tellAll(downloadOf(1000));
    expect(faults).toEqual([new Error('no stalls please')]);
    expect(diaryOf('video')).toBe('video ladder download');
  });

  it('pass on what a rule throws when it starts or decides', () => {
    const late = setUp({
      ...diary,
      decide: () => {
        throw new Error('boom');
      },
    });
    expect(() => late.diaryOf('video')).toThrow('boom');
    const early = setUp({
      ...diary,
      start: () => {
        throw new Error('no start');
      },
    });
    expect(() => early.diaryOf('video')).toThrow('no start');
  });
});
