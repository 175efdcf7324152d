import { expect, test } from 'vitest';
import { exampleLog } from '../../telemetry/exampleLog.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import { logFile } from './sessionFiles.ts';

test('the session file of a log reads back as the same log', async () => {
  const log = exampleLog();
  const read = readSession(await logFile(log, 'session').text());
  expect(read.ok && read.value).toEqual(log);
});

test('many events are written in lots and none is lost or doubled', async () => {
  const log = exampleLog();
  const [first] = log.events;
  const events = Array.from({ length: 4001 }, (_, at) => ({ ...first!, id: `m${at}` }));
  const text = await logFile({ ...log, events }, 'session').text();
  const ids = (JSON.parse(text) as typeof log).events.map(({ id }) => id);
  expect(ids).toEqual(events.map(({ id }) => id));
});

test.each(['request', 'decision'] as const)('the table of %s events has a row for each', async (kind) => {
  const log = exampleLog();
  const lines = (await logFile(log, kind).text()).trimEnd().split('\r\n');
  expect(lines.length).toBe(1 + log.events.filter((event) => event.kind === kind).length);
});
