import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exampleNetLog } from '../../src/telemetry/netlog/exampleNetLog.testing.ts';
import { netLogTail } from './keepEvidence.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-tail-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'net.json');

const log = exampleNetLog();
for (let count = 0; count < 100; count += 1)
  log.event('QUIC_SESSION_PACKET_SENT 0', count, 7, { bytes: 1200 });
const timesOf = (tail: string): number[] =>
  tail
    .split('\n')
    .slice(0, -1)
    .map((line) => Number((JSON.parse(line) as { time: string }).time));
const last = (count: number): number[] => Array.from({ length: count }, (_, index) => 100 - count + index);

describe('the end of a NetLog', () => {
  it.each([
    ['closed', log.closedText()],
    ['unclosed', log.text()],
    ['torn in its last event', log.text() + '{"params":{"bytes":12'],
  ])('%s: the last events, whole ones', async (_, text) => {
    writeFileSync(file, text);
    const times = timesOf(await netLogTail(file, 2000));
    expect(times.length).toBeGreaterThan(10);
    expect(times.length).toBeLessThan(25);
    expect(times).toEqual(last(times.length));
  });

  it('is all events of a short one, and none of its constants', async () => {
    writeFileSync(file, log.closedText());
    expect(timesOf(await netLogTail(file))).toEqual(last(100));
  });

  it('is empty where there is no file', async () => {
    expect(await netLogTail(path.join(folder, 'gone.json'))).toBe('');
  });
});
