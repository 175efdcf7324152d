import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatCopies } from './runSimulated.ts';
import { writeSimulated } from './playSimulated.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { finishedSessions } from '../finishedSessions.ts';
import { formatVerdicts } from '../formatOutcome.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { networksOf } from '../../design/networks.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { envivio } from '../../../src/sim/envivio.ts';
import { valueOf } from '../../../src/shared/result.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-copies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function planOf(changes: Partial<CampaignFile>): CampaignPlan {
  const file: CampaignFile = {
    ...startingFile,
    rules: ['throughput'],
    transports: ['h2', 'h3-only'],
    profiles: ['dvl'],
    repeats: 8,
    seeds: [1],
    seconds: 20,
    primary: 'mean-bitrate',
    margin: 10,
    ...changes,
  };
  return valueOf(planCampaign(file, networksOf(file)));
}

/** Simulates a plan and judges it; the line of its only comparison. */
async function verdictOn(name: string, plan: CampaignPlan): Promise<string> {
  const outDir = path.join(folder, name);
  mkdirSync(logDirOf(outDir), { recursive: true });
  const contents = { demo: { ...envivio, manifestBytes: 3000 } };
  const about = { seconds: plan.campaign.seconds, preset: 'experiment', contents };
  const { sessions, networks } = plan;
  await writeSimulated(
    { ...about, sessions, networks, logDir: logDirOf(outDir) },
    { from: 0, to: sessions.length },
  );
  return formatVerdicts(plan, finishedSessions(plan, outDir))
    .split('\n')
    .find((line) => line.includes('h3-only against h2'))!;
}

describe('repeats of a simulated campaign', () => {
  test('that begin at the same phase are one pair, and give no verdict', async () => {
    const plan = planOf({});
    expect(await verdictOn('start', plan)).toMatch(
      /, won \d(, tied \d)? of 1 pair, .*: no verdict\. Only 1 of the 6 independent pairs that a verdict needs are available: under equal conditions the simulator gives copies; of 8 pairs left out: 7 copies of another simulated session$/,
    );
    expect(formatCopies(plan)).toBe(
      'simulated: at most 1 of 8 pairs can differ, the others are copies that do not count; a verdict needs 6 (with phase "drawn" more pairs differ)',
    );
  });

  test('are copies too where their seed or their phase makes no difference', async () => {
    const seeds = Array.from({ length: 8 }, (_, seed) => seed);
    expect(await verdictOn('seeds', planOf({ seeds, repeats: 1 }))).toContain(
      'Only 1 of the 6 independent pairs',
    );
    const steady = planOf({ profiles: ['constant-3mbps'], phase: 'drawn' });
    expect(await verdictOn('steady', steady)).toContain('Only 1 of the 6 independent pairs');
  });

  test('count each where they differ', async () => {
    const plan = planOf({ phase: 'drawn', profiles: ['np2b-typical-delay-typical-loss'] });
    // Two of the phases lie in one step of the profile; each pair has losses of its own.
    expect(await verdictOn('drawn', plan)).toMatch(
      / of 8 pairs, p_Holm [=<] \S+\): (higher|lower|equivalent|cannot tell)/,
    );
    expect(formatCopies(plan)).toBeNull();
  });
});
