import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { formatParts, stateOf } from './formatParts.ts';
import type { PaperPart } from '../paperCampaign.ts';
import { papers } from '../papers.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const there = (file: string): boolean => existsSync(path.join(root, file));

describe.each(papers)('the tables and figures of $id', ({ campaigns, parts }) => {
  const ids = campaigns.map(({ id }) => id);

  test('are named once, each with what it shows', () => {
    const names = parts.map(({ part }) => part);
    expect(new Set(names).size).toBe(names.length);
    for (const { part, shows } of parts) {
      expect(part).toMatch(/^(Table|Tables|Fig\.|Figs\.|Section|Sections) /);
      expect(shows.length).toBeLessThanOrEqual(80);
      expect(shows).toMatch(/[^.]$/);
    }
  });

  test('name campaigns of the paper, and every campaign is named', () => {
    const named = parts.flatMap(({ by }) => ('campaigns' in by ? by.campaigns : []));
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !named.includes(id))).toEqual([]);
  });

  test('name files that exist, and a sentence where nothing plays them', () => {
    for (const { by } of parts) {
      if ('reason' in by) expect(by.reason).toMatch(/^[A-Z].*\.$/);
      if ('missing' in by) expect(by.missing).toMatch(/^[A-Z].*\.$/);
      if (!('command' in by)) continue;
      expect(by.command).toMatch(/^(pitwall|npm run bench|npx|pitwall-load|python3) ?/);
      for (const file of by.command.match(/\S+\.(json|mjs|py|ts)\b/g) ?? []) expect(file).toSatisfy(there);
      if (by.results !== undefined) expect(by.results).toSatisfy(there);
    }
  });

  test.each([80, 120])('fit %s columns', (columns) => {
    for (const line of formatParts({ parts }, () => false, columns).split('\n'))
      expect(line.length <= columns || !line.trim().includes(' ')).toBe(true);
  });
});

describe('the state of a table or figure', () => {
  const part = (by: PaperPart['by']): PaperPart => ({ part: 'Table 1', shows: 'a thing', by });

  test('is that of what plays it', () => {
    const isPlayed = (id: string): boolean => id === 'b';
    expect(stateOf(part({ campaigns: ['a', 'b'] }), isPlayed)).toBe('played');
    expect(stateOf(part({ campaigns: ['a'] }), isPlayed)).toBe('not played yet');
    expect(stateOf(part({ command: 'pitwall sim' }), isPlayed)).toBe('not played yet');
    expect(stateOf(part({ command: 'pitwall sim', results: 'x.csv' }), isPlayed)).toBe('played');
    expect(stateOf(part({ missing: 'A pcap reader.' }), isPlayed)).toBe('not built yet');
    expect(stateOf(part({ reason: 'It is a drawing.' }), isPlayed)).toBe('not possible');
  });

  test('is written beside its command, and counted', () => {
    const parts = [part({ campaigns: ['a', 'b'] }), { ...part({ reason: 'It is a drawing.' }), note: 'n' }];
    expect(formatParts({ parts }, (id) => id === 'b', 80).split('\n')).toEqual([
      'Tables and figures, some of them together: 1 played, 0 not yet, 0 not built yet,',
      '1 that cannot be played.',
      'Table 1  a thing',
      '         pitwall papers run a: not played yet',
      '         pitwall papers run b: played',
      'Table 1  a thing',
      '         It is a drawing.',
      '         (n)',
    ]);
  });
});
