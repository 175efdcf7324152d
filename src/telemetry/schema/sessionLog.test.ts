import { expect, test } from 'vitest';
import { SessionLog } from './sessionLog.ts';

/** Types, validator and this file have one source. To write the file anew: npx vitest run sessionLog -u */
test('docs/session-log.schema.json is what the schema says', async () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...SessionLog };
  const text = `${JSON.stringify(schema, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot('../../../docs/session-log.schema.json');
});
