import { expect, test } from 'vitest';
import { definitionsText } from './definitionsText.ts';
import { metrics } from '../../src/analysis/registry.ts';

/** To write the file anew: npx vitest run definitionsText -u */
test('docs/metrics.md is what the registry says', async () => {
  await expect(definitionsText(metrics)).toMatchFileSnapshot('../../docs/metrics.md');
});
