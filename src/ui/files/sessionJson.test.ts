import { expect, test } from 'vitest';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { sessionJson } from './sessionJson.ts';

const logOf = (count: number) =>
  ({
    schema: 'pitwall-session/1',
    id: 'a',
    events: Array.from({ length: count }, (_, at) => ({ kind: 'visibility', id: `v${at}`, hidden: false })),
  }) as unknown as SessionLog;

test.each([0, 1, 2000, 4001])('the pieces of %d events are the same log', (count) => {
  const log = logOf(count);
  expect(JSON.parse([...sessionJson(log)].join(''))).toEqual(log);
});
