import { expect, test } from 'vitest';
import { DEFINITIONS_VERSION, definitionChanges, formatOlderDefinitions } from './definitionChanges.ts';
import { metrics } from './registry.ts';

const ids = metrics.map(({ id }) => id);

test.each(definitionChanges)('the change of $metrics of $since is about metrics that there are', (change) => {
  expect(change.metrics.length).toBeGreaterThan(0);
  expect(ids).toEqual(expect.arrayContaining([...change.metrics]));
  expect(change.since).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(change.version).toBeGreaterThan(1);
  expect(change.version).toBeLessThanOrEqual(DEFINITIONS_VERSION);
  expect(change.before).not.toMatch(/\.$|\n/);
});

test('older values are named for the metrics shown, values of today never', () => {
  const [sentence, ...more] = formatOlderDefinitions(1, ['tcp-share', 'effective-throughput']);
  expect(more).toEqual([]);
  expect(sentence).toMatch(
    /^Computed with the definition before 2026-11-25 of effective-throughput: the time was the sum .*\.$/,
  );
  expect(formatOlderDefinitions(1, ['tcp-share'])).toEqual([]);
  expect(formatOlderDefinitions(DEFINITIONS_VERSION, ids)).toEqual([]);
});
