import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { playwrightByFile, playwrightFailures, playwrightStages, vitestFailures } from './testRunners.mjs';
import { batchesOf, BENCHES, partsOf, summaryOf } from './testFull.mjs';
import { benches } from '../bench/registry.ts';
import playwrightConfig from '../playwright.config.ts';

test('the full test has every bench and every spec file as a part', () => {
  expect([...BENCHES].sort()).toEqual(benches.map(({ id }) => id).sort());
  const names = partsOf().map(({ name }) => name);
  const specs = readdirSync('e2e/specs').filter((name) => name.endsWith('.spec.ts'));
  expect(names.filter((name) => name.startsWith('e2e-'))).toHaveLength(specs.length);
  expect(new Set(names).size).toBe(names.length);
});

test('Playwright runs each of its projects once, after those that it depends on', () => {
  const stages = playwrightStages.map((args) =>
    args.flatMap((arg) => /^--project=(.*)/.exec(arg)?.slice(1) ?? []),
  );
  const projects = playwrightConfig.projects!;
  expect(stages.flat().sort()).toEqual(projects.map(({ name }) => name).sort());
  for (const { name, dependencies = [] } of projects) {
    const before = stages.slice(
      0,
      stages.findIndex((stage) => stage.includes(name!)),
    );
    expect(before.flat()).toEqual(expect.arrayContaining(dependencies));
  }
});

test('specs that only behave are run several at a time, others alone, all in their order', () => {
  const parts = ['check', 'a', 'b', 'c.waiting', 'd', 'e.alone', 'f.linked', 'bench-sim'].map((name) => ({
    name,
    ...(/^(check|bench)/.test(name) ? {} : { spec: `${name}.spec.ts` }),
  }));
  const named = batchesOf(parts).map((batch) => batch.map(({ name }) => name));
  expect(named).toEqual([
    ['check'],
    ['a', 'b'],
    ['c.waiting'],
    ['d'],
    ['e.alone'],
    ['f.linked'],
    ['bench-sim'],
  ]);
  const all = batchesOf(partsOf());
  expect(all.flat()).toHaveLength(partsOf().length);
  expect(Math.max(...all.map(({ length }) => length))).toBe(6);
});

test("Playwright's report is split by spec file", () => {
  const result = { duration: 1500 };
  const file = (name: string, ...statuses: string[]) => ({
    file: `specs/${name}`,
    title: name,
    suites: [
      {
        title: 'part',
        specs: statuses.map((status) => ({
          title: status,
          ok: status !== 'unexpected',
          tests: [{ status, results: [result] }],
        })),
      },
    ],
  });
  const suites = [file('a.spec.ts', 'expected', 'unexpected'), file('b.spec.ts', 'skipped', 'flaky')];
  expect([...playwrightByFile({ suites })]).toEqual([
    ['a.spec.ts', { passed: 1, failed: 1, skipped: 0, failures: ['part: unexpected'], seconds: 3 }],
    ['b.spec.ts', { passed: 0, failed: 1, skipped: 1, failures: [], seconds: 3 }],
  ]);
});

test('the page sums the parts that were run, and names those that were not and what failed', () => {
  const part = { passed: 3, failed: 0, skipped: 1, failures: [], seconds: 65, date: '2026-11-23' };
  const { text, ...sums } = summaryOf({
    version: 'abc',
    machine: '2 cores',
    names: ['check', 'e2e-page', 'bench-sim'],
    parts: { check: part, 'e2e-page': { ...part, passed: 1, failed: 1, failures: ['page: plays'] } },
  });
  expect(sums).toEqual({ passed: 4, failed: 1, skipped: 2, open: 1 });
  expect(text).toContain('- Not run: bench-sim\n');
  expect(text).toContain('- e2e-page: page: plays\n');
  expect(text).toContain('| check | 3 | 0 | 1 | 1 min 05 s |');
});

test('failed tests are named from the reports of both runners', () => {
  expect(
    vitestFailures({
      testResults: [
        {
          name: '/a/b.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'one' },
            { status: 'failed', fullName: 'two' },
          ],
        },
        { name: '/a/c.test.ts', status: 'failed', assertionResults: [] },
      ],
    }),
  ).toEqual(['two', 'c.test.ts could not be run']);
  const specs = [
    { ok: true, title: 'one' },
    { ok: false, title: 'two' },
  ];
  expect(
    playwrightFailures({
      suites: [{ title: 'a.spec.ts', suites: [{ title: 'part', specs }] }],
      errors: [{ message: 'broken\nat' }],
    }),
  ).toEqual(['part: two', 'broken']);
});
