import { describe, expect, test } from 'vitest';
import { formatVerdict } from './formatVerdict.ts';
import { verdicts, type VerdictRow } from './verdicts.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { networksOf } from '../design/networks.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { seededNormals } from '../../src/analysis/statistics/random.ts';

function planOf(changes: Partial<CampaignFile>): CampaignPlan {
  const campaign: CampaignFile = {
    ...startingFile,
    rules: ['bola'],
    transports: ['h2', 'h3-only'],
    profiles: [],
    seeds: [1],
    primary: 'mean-bitrate',
    marginPercent: 5,
    ...changes,
  };
  const plan = planCampaign(campaign, networksOf(campaign));
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
}

const isSecond = ({ transport }: PlannedSession): boolean => transport === 'h3-only';
const bitrate = { label: 'mean bitrate', unit: 'kbit/s' };

describe('slow networks lose in %, fast ones gain in kbit/s', () => {
  const plan = planOf({ repeats: 24 });
  const noise = seededNormals(4);
  const values = new Map(
    plan.sessions.map((session) => {
      const isSlow = session.design.repeat % 5 < 2;
      const level = isSlow ? 300 : 8000;
      const factor = isSecond(session) ? (isSlow ? 0.5 : 1.06) : 1;
      return [session.id, level * factor * (1 + 0.01 * noise(1)[0]!)] as const;
    }),
  );
  const [row] = verdicts(plan, values, { better: 'higher', isPositive: true });

  test('both are said, and nothing is beyond the margin', () => {
    expect(row!.statistics!.mean.value).toBeGreaterThan(0);
    expect(row!.statistics!.ratio!.interval![1]).toBeLessThan(-5);
    expect(row!.judgement!.relevance).not.toBe('beyond');
    const sentence = formatVerdict(row!, bitrate, plan.campaign);
    if (row!.judgement!.direction === 'higher') expect(sentence).toContain('higher in kbit/s, lower in %');
    expect(sentence).not.toContain('beyond');
    expect(Object.values(row!.sensitivity!)).not.toContain('beyond');
  });
});

describe('equal arms of which one loses its bad sessions', () => {
  type Loss = 'log' | 'value' | 'censored';

  /** The value of a session in kbit/s, or in s where it is censored: there a bad session is longer than it is known to be. */
  const valueOf = (own: number, isBad: boolean, loss: Loss): number | null =>
    loss === 'censored' ? 20 - (isBad ? 0 : own) : isBad && loss === 'value' ? null : 2000 + 150 * own;

  function judgedCampaign(plan: CampaignPlan, loss: Loss, seed: number): VerdictRow {
    const noise = seededNormals(seed);
    const played = plan.sessions.map((session) => {
      const own = noise(1)[0]!;
      return { id: session.id, own, isBad: isSecond(session) && own < -0.67 };
    });
    const values = new Map(
      played
        .filter(({ isBad }) => !isBad || loss !== 'log')
        .map(({ id, own, isBad }) => [id, valueOf(own, isBad, loss)]),
    );
    const censored = new Set(
      loss === 'censored' ? played.filter(({ isBad }) => isBad).map(({ id }) => id) : [],
    );
    const better = loss === 'censored' ? 'lower' : 'higher';
    return verdicts(plan, values, { better, isPositive: true, censored, resamples: 300 })[0]!;
  }

  const judgedCampaigns = (repeats: number, loss: Loss): VerdictRow[] => {
    const plan = planOf({ repeats });
    return Array.from({ length: 60 }, (_, seed) => judgedCampaign(plan, loss, seed + 1));
  };

  test.each(['log', 'value', 'censored'] as const)(
    'is called better in none of 60 campaigns: %s',
    (isLost) => {
      const rows = judgedCampaigns(50, isLost);
      // h3-only is the first arm of the comparison, and the one that loses sessions.
      expect(rows.filter((row) => row.verdict?.startsWith('better')).length).toBe(0);
      expect(rows.filter((row) => row.verdict === 'equivalent').length).toBe(0);
      const withheld = rows.filter((row) => row.withheld !== null);
      expect(withheld.length).toBeGreaterThan(10);
      expect(formatVerdict(withheld[0]!, bitrate, planOf({ repeats: 50 }).campaign)).toMatch(
        /cannot tell; .*nothing is claimed in favour of h3-only: it has \d+ missing or censored values, h2 has 0/,
      );
    },
  );

  test('the arm that loses them can still be worse', () => {
    const plan = planOf({ repeats: 20 });
    const noise = seededNormals(1);
    const values = new Map(
      plan.sessions.map((session) => [
        session.id,
        isSecond(session) && session.design.repeat < 2
          ? null
          : 2000 - (isSecond(session) ? 400 : 0) + 50 * noise(1)[0]!,
      ]),
    );
    const [row] = verdicts(plan, values, { better: 'higher', isPositive: true });
    expect(row).toMatchObject({ verdict: 'worse', withheld: null });
  });

  test('as many losses in both arms withhold nothing', () => {
    const plan = planOf({ repeats: 20 });
    const noise = seededNormals(1);
    const values = new Map(
      plan.sessions.map((session) => [
        session.id,
        session.design.repeat === (isSecond(session) ? 0 : 1)
          ? null
          : 2000 + (isSecond(session) ? 400 : 0) + 50 * noise(1)[0]!,
      ]),
    );
    expect(verdicts(plan, values, { better: 'higher', isPositive: true })[0]).toMatchObject({
      verdict: 'better',
      withheld: null,
    });
  });
});
