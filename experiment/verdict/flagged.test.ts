import { describe, expect, it } from 'vitest';
import { flaggedPairs, formatFlagged } from './flagged.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';

const plan = planCampaign(
  { ...startingFile, rules: ['bola'], transports: ['h1', 'h2'], repeats: 6, seeds: [1] },
  [],
);
if (!plan.ok) throw new Error(plan.error);
const { sessions } = plan.value;
const pairOf = (repeat: number): string =>
  sessions.find(({ design }) => design.repeat === repeat)!.design.pair;
const BUSY = 'All 2 cores were busy.';
const DROPPED = 'Frames were dropped.';

/** Flags of all sessions that are finished: by repeat and transport those named, none of the others. */
function flags(named: Readonly<Record<string, readonly string[]>>, finished = sessions) {
  return new Map(
    finished.map(({ id, design, transport }) => [id, named[`${design.repeat}/${transport}`] ?? []]),
  );
}

describe('pairs with a flagged arm', () => {
  it('are none while no session is finished', () =>
    expect(flaggedPairs(sessions, new Map())).toEqual({ flagged: new Map(), begun: 0 }));

  it('are none where the machine kept up', () =>
    expect(flaggedPairs(sessions, flags({}))).toEqual({ flagged: new Map(), begun: 6 }));

  it('are listed with their arms, by name', () => {
    const found = flaggedPairs(
      sessions,
      flags({ '4/h2': [BUSY], '1/h2': [BUSY, DROPPED], '1/h1': [DROPPED] }),
    );
    expect(found.begun).toBe(6);
    expect([...found.flagged]).toEqual([
      [
        pairOf(1),
        [
          { arm: 'bola/h1', flags: [DROPPED] },
          { arm: 'bola/h2', flags: [BUSY, DROPPED] },
        ],
      ],
      [pairOf(4), [{ arm: 'bola/h2', flags: [BUSY] }]],
    ]);
  });

  it('are the same in whatever order shards were merged, and counted among what was begun', () => {
    const some = sessions.filter(({ design: { repeat } }) => repeat > 2);
    const found = flaggedPairs(sessions, flags({ '4/h2': [BUSY] }, some));
    expect(found.begun).toBe(3);
    const turned = flaggedPairs(sessions.toReversed(), flags({ '4/h2': [BUSY] }, some.toReversed()));
    expect(formatFlagged(turned)).toBe(formatFlagged(found));
  });
});

describe('the text beneath a table', () => {
  const formatted = (named: Record<string, readonly string[]>): string =>
    formatFlagged(flaggedPairs(sessions, flags(named)));

  it('is empty where nothing is left out', () => expect(formatted({})).toBe(''));

  it('counts and names the pairs', () =>
    expect(formatted({ '4/h2': [BUSY], '1/h2': [BUSY], '1/h1': [DROPPED] })).toBe(
      [
        '2 of 6 pairs left out: invalidated by host overload in',
        `  ${pairOf(1)}: bola/h1 and 1 more of its arms: ${DROPPED}`,
        `  ${pairOf(4)}: bola/h2: ${BUSY}`,
      ].join('\n'),
    ));

  it('stays short', () => {
    const many = Array.from({ length: 12 }, (_, at): [string, { arm: string; flags: string[] }[]] => [
      `pair-${at}`,
      [{ arm: 'bola/h2', flags: [BUSY] }],
    ]);
    const lines = formatFlagged({ flagged: new Map(many), begun: 12 }).split('\n');
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe('  and 2 more');
  });
});
