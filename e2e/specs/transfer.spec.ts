import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventsOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { transferredObjects } from '../../src/analysis/transport/transfers.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';

const run = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));

/** One pair of two sessions on loopback: objects of 0.2 MB, in three ranges each. */
const file = {
  schema: 'pitwall-transfer/1',
  name: 'ranges-at-once',
  transfers: ['ranges:mb=0.2:ranges=3:count=2:pause=100'],
  transports: ['h1', 'h3-only'],
  profiles: [],
  repeats: 1,
  seeds: [1],
  maxSeconds: 20,
  leadInSeconds: 0,
  phase: 'start',
  primary: 'transfer-time',
  marginPercent: 5,
  alpha: 0.05,
  compare: 'transports',
  per: 'campaign',
};

const PROTOCOLS: Readonly<Record<string, string>> = { h1: 'http/1.1', 'h3-only': 'h3' };

test('transfers are downloaded over each transport, byte for byte as the server says', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-transfers-'));
  const pitwall = (...args: string[]) =>
    run(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], { cwd: root, maxBuffer: 1e8 });
  try {
    const asked = path.join(folder, 't.json');
    await writeFile(asked, JSON.stringify(file));
    const out = path.join(folder, 'out');
    expect((await pitwall('transfer', asked, '--out', out)).stdout).toMatch(/^2 played, /m);
    const plan = JSON.parse(await readFile(path.join(out, 'plan.json'), 'utf8')) as CampaignPlan;
    const served = readAccessLog(path.join(out, 'origin-access.jsonl'));
    for (const { id, transport } of plan.sessions) {
      const read = readSession(await readFile(path.join(out, 'sessions', `${id}.json`), 'utf8'));
      if (!read.ok) throw new Error(read.error);
      expect(transferredObjects(read.value).map(({ sizeBytes }) => sizeBytes)).toEqual([200_000, 200_000]);
      const requests = eventsOf(read.value, 'request');
      expect(requests.map(({ protocol }) => protocol)).toEqual(Array(6).fill(PROTOCOLS[transport]));
      const bytes = requests.reduce((sum, { receivedBytes }) => sum + receivedBytes!, 0);
      const own = served.filter(({ host }) => host.startsWith(id));
      expect(own.reduce((sum, each) => sum + each.sizeBytes, 0)).toBe(bytes);
      expect(bytes).toBe(400_000);
    }
    expect((await pitwall('report', out)).stdout).toMatch(/report\.html: 2 of 2 sessions/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
