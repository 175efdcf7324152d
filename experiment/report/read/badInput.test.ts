import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { keepPlan } from '../../runner/keepPlan.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { simulatedSession } from '../../runner/simulated/simulatedSession.ts';
import { valueOf } from '../../../src/shared/result.ts';
import type { PlannedSession } from '../../design/plan.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { networkProfiles } from '../../../src/network/profiles/registry.ts';
import { pick } from '../../../src/shared/registry.ts';
import { envivio } from '../../../src/sim/envivio.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

const checkout = path.resolve(import.meta.dirname, '../../..');
const root = mkdtempSync(path.join(tmpdir(), 'pitwall-bad-report-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The first start may have to bundle the command line, on a machine that is busy with other tests. */
const LIMIT_MS = 180_000;

const network = 'np2b-typical-delay-typical-loss';
const plan = valueOf(
  planCampaign(
    {
      ...startingFile,
      rules: ['throughput'],
      transports: ['h2', 'h3-only'],
      profiles: [network],
      phase: 'drawn',
      repeats: 7,
      seeds: [1],
      seconds: 20,
      primary: 'mean-bitrate',
      margin: 10,
    },
    [{ name: network, profile: pick(networkProfiles, network) }],
  ),
);
const contents = { demo: { ...envivio, manifestBytes: 3000 } };

const played = (session: PlannedSession, seconds: number): SessionLog =>
  simulatedSession({ networks: plan.networks, contents, seconds, preset: 'experiment' }, session);

/** A campaign's folder with these logs; null: none. */
function folderOf(name: string, logOf: (session: PlannedSession) => SessionLog | string | null): string {
  const folder = path.join(root, name);
  keepPlan(folder, plan);
  mkdirSync(logDirOf(folder));
  for (const session of plan.sessions) {
    const log = logOf(session);
    const text = typeof log === 'string' ? log : JSON.stringify(log);
    if (log !== null) writeFileSync(path.join(logDirOf(folder), `${session.id}.json`), text);
  }
  return folder;
}

function report(...args: string[]) {
  const bin = path.join(checkout, 'bin', 'pitwall');
  return spawnSync(process.execPath, [bin, 'report', ...args], { encoding: 'utf8', cwd: root });
}

const isQuic = ({ transport }: PlannedSession): boolean => transport === 'h3-only';
/** All that a session did, played by a real player: it may be the same in each. */
const alike = (log: SessionLog, session: PlannedSession): SessionLog => ({
  ...played({ ...plan.sessions[0]!, design: log.design! }, 20),
  id: session.id,
  design: session.design,
});

describe('pitwall report of what is not as it should be answers in words', () => {
  test(
    'an empty campaign: one sentence on standard error and a failing exit code',
    () => {
      const { status, stdout, stderr } = report(folderOf('empty', () => null));
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^pitwall: \S+: None of its 14 sessions has been played yet\.\n$/);
    },
    LIMIT_MS,
  );

  test.each<[string, (session: PlannedSession) => SessionLog | string | null, RegExp]>([
    [
      'one arm missing',
      (session) => (isQuic(session) ? null : played(session, 20)),
      /\*\*no verdict\*\*: No verdict on h3-only against h2\. Only 0 of the 6 pairs that a verdict needs are available\./,
    ],
    [
      'sessions of different lengths',
      (session) => played(session, session.design.repeat < 3 && isQuic(session) ? 6 : 20),
      /\*\*Note:\*\* 3 sessions ended before 20 s \(after [\d to]+ s\): their sums and counts cover less time\./,
    ],
    [
      'all values equal',
      (session) => alike(played(session, 20), session),
      // One pair has no spread, so nothing is said of an interval.
      /Only 1 of the 6 independent pairs .* So far: difference 0 kbit\/s \(0 %\), better in 0 of 1 pair, 1 tied/,
    ],
    [
      'a number that is none',
      (session) =>
        isQuic(session) && session.design.repeat === 0
          ? JSON.stringify(played(session, 20)).replace(/"atMs":[\d.]+/, '"atMs":NaN')
          : played(session, 20),
      /\*\*Note:\*\* Preliminary: 1 session of 14 has no log yet \(1 with a file that cannot be read\)/,
    ],
  ])(
    '%s',
    (name, logOf, words) => {
      const folder = folderOf(name.replaceAll(' ', '-'), logOf);
      const { status, stdout, stderr } = report(folder, '--format', 'md');
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(words);
      expect(stdout).not.toMatch(/NaN|undefined|Infinity/);
    },
    LIMIT_MS,
  );

  test(
    'the page, too',
    () => {
      const folder = folderOf('page', (session) => (isQuic(session) ? null : played(session, 20)));
      expect(report(folder).status).toBe(0);
      const page = readFileSync(path.join(folder, 'report.html'), 'utf8');
      expect(page).toContain('No verdict on h3-only against h2');
      expect(page).not.toMatch(/NaN|undefined|\[object/);
    },
    LIMIT_MS,
  );
});
