import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { silencedSession } from '../../../src/telemetry/netlog/exampleNetLog.testing.ts';
import { readNetLogFile } from './readNetLogFile.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-netlog-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string) => {
  const file = path.join(folder, 'net.json');
  writeFileSync(file, text);
  return readNetLogFile(file);
};
const whole = silencedSession().closedText();
const error = 'This NetLog has lost its line breaks: Chromium writes each event in a line of its own.';

test('a NetLog is read, and another file is none', async () => {
  expect(await read(whole)).toMatchObject({ ok: true, value: { requests: { length: 5 } } });
  expect(await read('{"constants": 1}')).toMatchObject({
    error: 'This is not a NetLog: its first line has no "constants".',
  });
});

test('packets that nobody counted are unknown', async () => {
  const facts = await read(whole.replace('"QUIC_SESSION_PACKET_RECEIVED"', '"QUIC_PACKET_CAME"'));
  expect(facts.ok && facts.value.connections.get(50)).toMatchObject({
    packetsSent: 1,
    packetsReceived: null,
    packetsLost: 1,
  });
});

test.each([
  ['none', whole.replaceAll('\n', '')],
  ['one at its end', `${whole.replaceAll('\n', '')}\n`],
])('one with as many line breaks as %s has lost them', async (_, text) =>
  expect(await read(text)).toEqual({ ok: false, error }),
);
