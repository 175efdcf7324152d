import { expect, test } from 'vitest';
import { exampleLog } from '../../exampleLog.testing.ts';
import { readSession } from '../../schema/readSession.ts';
import type { SessionLog } from '../../schema/sessionLog.ts';
import { logSource, fileBlob, type FileKind } from './sessionSource.ts';

test('the session file of a log reads back as the same log', async () => {
  const log = exampleLog();
  const read = readSession(await readBlob(log, 'session'));
  expect(read.ok && read.value).toEqual(log);
});

test('many events are written in batches and none is lost or doubled', async () => {
  const log = exampleLog();
  const [first] = log.events;
  const events = Array.from({ length: 4001 }, (_, at) => ({ ...first!, id: `m${at}` }));
  const text = await readBlob({ ...log, events }, 'session');
  const ids = (JSON.parse(text) as typeof log).events.map(({ id }) => id);
  expect(ids).toEqual(events.map(({ id }) => id));
});

test.each(['request', 'decision'] as const)('the table of %s events has a row for each', async (kind) => {
  const log = exampleLog();
  const lines = (await readBlob(log, kind)).trimEnd().split('\r\n');
  expect(lines.length).toBe(1 + log.events.filter((event) => event.kind === kind).length);
});

async function readBlob(log: SessionLog, kind: FileKind): Promise<string> {
  return await (await fileBlob(logSource(log), kind)).text();
}
