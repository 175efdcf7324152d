import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findings } from './findings.ts';
import { paperCampaigns, papers } from './papers.ts';
import { readKnownSessions } from '../../experiment/report/read/readKnownSessions.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ids = metrics.map(({ id }) => id);

test('are about twenty, of every paper', () => {
  expect(findings.length).toBeGreaterThanOrEqual(20);
  expect(findings.length).toBeLessThanOrEqual(30);
  expect([...new Set(findings.map(({ paper }) => paper))]).toEqual(papers.map(({ id }) => id));
});

describe.each(findings)('$paper, $where: $says', ({ by, needs }) => {
  test('is held against what is there', async () => {
    for (const each of needs ? [needs, by] : [by])
      if ('campaigns' in each) {
        expect(ids).toContain(each.occurs.metric);
        const unknown = each.campaigns.filter((name) => !paperCampaigns.some(({ id }) => id === name));
        for (const table of unknown) expect(existsSync(path.join(root, table)), table).toBe(true);
      }
    if ('campaign' in by) {
      const { claims } = paperCampaigns.find(({ id }) => id === by.campaign)!;
      const asked = Object.entries(by.claims);
      expect(
        claims.some((claim) => asked.every(([field, value]) => claim[field as keyof typeof claim] === value)),
      ).toBe(true);
    }
    if (!('table' in by)) return;
    expect(ids).toContain(by.metric);
    const { sessions } = await readKnownSessions([path.join(root, by.table)]);
    for (const names of by.pairs.flatMap(({ first, second }) => [first, second]))
      expect(
        sessions.filter(({ arm }) => names.every((name) => arm.split('/').includes(name))).length,
      ).toBeGreaterThanOrEqual(9);
  });
});
