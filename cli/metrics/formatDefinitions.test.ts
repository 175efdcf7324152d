import { expect, test } from 'vitest';
import { formatDefinitions } from './formats.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';

/** To write the file anew: npx vitest run formatDefinitions -u */
test('docs/metrics.md is what the registry says', async () => {
  await expect(formatDefinitions(metrics)).toMatchFileSnapshot('../../docs/metrics.md');
});
