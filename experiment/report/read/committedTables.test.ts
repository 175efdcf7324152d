import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readKnownSessions } from './readKnownSessions.ts';
import { kebab } from '../../design/contents.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** How many arms the finished sessions of each committed table have, as its campaign file says. */
const ARMS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'docs/examples/results': {
    'address-change': 3,
    beside: 6,
    'black-hole': 4,
    'equal-transports': 4,
    firefox: 4,
    'gate-aa': 2,
    handshake: 5,
    'latency-mpc': 6,
    'latency-throughput': 6,
    'limiter-queueing': 4,
    live: 5,
    'nat-rebinding': 3,
    neural: 6,
    objects: 3,
    'parity-loss': 24,
    ranges: 9,
    seeks: 2,
    split: 9,
    'steering-dvl': 5,
    'steering-healthy': 2,
    'steering-limited': 24,
    'steering-limited-bounds': 16,
    'steering-return': 3,
    'steering-temporary': 4,
    'two-streams': 6,
  },
  'campaigns/results': {
    '2017-deployment-table-1': 2,
    '2018-thesis-table-10': 3,
    '2018-thesis-table-10-both-senders': 6,
    '2018-thesis-table-10-own-senders': 3,
    '2018-thesis-tables-8-9': 2,
    '2018-thesis-tables-8-9-buffer': 3,
    '2018-thesis-tables-8-9-drawn': 2,
    '2019-parameters-table-3': 3,
    '2019-parameters-table-4': 3,
    '2019-parameters-table-4-beside': 3,
    '2020-letter-figs-2-5': 6,
    '2020-letter-households': 6,
    '2020-letter-own-senders': 6,
    '2024-racing-dvl': 3,
    '2024-racing-dvl-drawn': 3,
    '2024-racing-idle': 3,
    '2024-racing-limiter': 3,
    '2024-racing-limiter-drawn': 3,
  },
};
/** So many characters of an arm's name are in the ids of its sessions, whatever follows. */
const SHOWN = 40;
/** Their networks have the rules of an entry in turn: ids have the entry, rows the rule that played, each an arm here. */
const IN_TURN = ['steering-limited', 'steering-limited-bounds'];
/** Tables of cells, not of sessions. */
const OF_CELLS = ['parity-loss-cells'];

describe.each(Object.entries(ARMS))('the tables in %s', (folder, arms) => {
  test('are all listed here', () => {
    const names = readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.csv'))
      .map((name) => path.basename(name, '.csv'))
      .filter((name) => !OF_CELLS.includes(name));
    expect(Object.keys(arms).sort()).toEqual(names.sort());
  });

  test.each(Object.entries(arms))(
    '%s is read with its %i arms, as its ids have them',
    async (name, count) => {
      const { sessions } = await readKnownSessions([path.join(root, folder, `${name}.csv`)]);
      expect(new Set(sessions.map(({ arm }) => arm)).size).toBe(count);
      for (const { id, arm } of IN_TURN.includes(name) ? [] : sessions) {
        const words = kebab(arm).slice(0, SHOWN);
        expect(id.slice(0, words.length)).toBe(words);
      }
    },
  );
});

test('counts of ranges and browsers are a part of an arm, as in the plan', async () => {
  const armsIn = async (name: string): Promise<string[]> => {
    const { sessions } = await readKnownSessions([path.join(root, `docs/examples/results/${name}.csv`)]);
    return [...new Set(sessions.map(({ arm }) => arm))].sort();
  };
  const splits = ['split-1', 'split-12', 'split-6'];
  const transports = ['h1', 'h2', 'h3-only'];
  expect(await armsIn('split')).toEqual(
    transports.flatMap((transport) => splits.map((split) => `sara/${transport}/cubic/${split}`)),
  );
  expect(await armsIn('firefox')).toEqual([
    'bola/h2/cubic/chromium',
    'bola/h2/cubic/firefox',
    'bola/h3-only/cubic/chromium',
    'bola/h3-only/cubic/firefox',
  ]);
});
