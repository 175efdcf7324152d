import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { knewH3 } from '../../src/analysis/transport/races.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import type { CampaignFile } from '../../experiment/design/campaignFile.ts';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const missing = linkMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

/** One pair of two arms. */
const campaign: CampaignFile = {
  ...startingFile,
  name: 'warm-live',
  transports: ['h3-racing', 'h3-only'],
  profiles: ['constant-5mbps'],
  contents: ['live:padded:envivio:segment=2'],
  browserProfile: 'warm',
  leadInSeconds: 10,
  repeats: 1,
  seeds: [1],
  seconds: 4,
};

test('a campaign of warm browsers and live streams over links: nothing is discovered, and arms meet the same segments', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-warm-'));
  try {
    const logs = await played(folder);
    expect(logs).toHaveLength(2);
    for (const log of logs) expectWarm(log);
    const [one, other] = logs.map(firstSegments);
    expect(one).toEqual(other);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function played(folder: string): Promise<SessionLog[]> {
  const file = path.join(folder, 'c.json');
  await writeFile(file, JSON.stringify(campaign));
  const command = [path.join(root, 'bin', 'pitwall'), 'compare', file, '--out', folder];
  await promisify(execFile)(process.execPath, command, { cwd: root, maxBuffer: 1e8 });
  const plan = JSON.parse(await readFile(path.join(folder, 'plan.json'), 'utf8')) as CampaignPlan;
  return Promise.all(
    plan.sessions.map(async ({ id }) => {
      const log = readSession(await readFile(path.join(folder, 'sessions', `${id}.json`), 'utf8'));
      if (!log.ok) throw new Error(log.error);
      return log.value;
    }),
  );
}

function expectWarm(log: SessionLog): void {
  const { visit, linkRun } = log.environment;
  expect(knewH3(log)).toBe(true);
  expect(visit!.startedAtUnixMs).toBeGreaterThanOrEqual(linkRun!.startedAtUnixMs);
  expect(visit!.endedAtUnixMs).toBeLessThan(linkRun!.playDueAtUnixMs - 1000);
  // What the visit did is none of the session's.
  const transports = eventsOf(log, 'transport').filter(({ source }) => source === 'netlog');
  const connections = transports.flatMap(({ connection }) => connection ?? []);
  expect(connections.length).toBeGreaterThan(0);
  for (const { startMs } of connections) expect(startMs).not.toBeNull();
  const [manifest] = requestsIn(log, ['manifest']);
  const first = transports.find(({ requestId }) => requestId === manifest!.id);
  expect(first?.races[0]?.outcome).toMatch(/^(alternative-won|main-won|quic-forced)$/);
}

/** Number of the first segment of each quality that was asked for first: the live edge as the player saw it. */
const firstSegments = (log: SessionLog): string | undefined =>
  requestsIn(log, ['media'])[0]?.url.replace(/^.*\//, '');
