import type { FinishedSessions } from './finishedSessions.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { flaggedPairs } from '../../verdict/flaggedPairs.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { verdicts } from '../../verdict/verdicts.ts';
import { formatVerdict } from '../../verdict/formatVerdict.ts';
import { pick } from '../../../src/shared/registry.ts';

/** A line for each declared comparison on the primary metric, from a campaign's finished sessions. */
export function formatVerdicts(plan: CampaignPlan, sessionsRead: FinishedSessions): string {
  const { campaign, sessions } = plan;
  const metric = pick<Metric>(metrics, campaign.primary);
  const { better } = metric;
  if (better === null)
    throw new Error(`${metric.id} has no better direction and cannot be the primary metric of a campaign`);
  const finished = [...sessionsRead];
  if (finished.length === 0) return 'no session is finished, so nothing is compared';
  const values = new Map(finished.map(([id, { figures }]) => [id, figures.get(metric.id)!.value]));
  const { flagged } = flaggedPairs(sessions, new Map(finished.map(([id, { flags }]) => [id, flags])));
  const playbackHashes = new Map(
    finished.flatMap(([id, { playbackHash }]) =>
      playbackHash === null ? [] : [[id, playbackHash] as const],
    ),
  );
  const rows = verdicts(plan, values, { better, flagged, playbackHashes });
  return [
    ...preliminary(sessions.length - values.size, sessions.length),
    `${metric.label} by pairs: Wilcoxon signed-rank (zeros as Pratt), Holm over ${rows.length}, bootstrap 95 % of the mean difference`,
    ...rows.map((row) => `  ${formatVerdict(row, metric, campaign)}`),
    'all other numbers in these tables are exploratory and give no verdict',
  ].join('\n');
}

/** Whoever stops when the numbers please finds differences that are not there. */
const preliminary = (missing: number, all: number): string[] =>
  missing > 0
    ? [
        `preliminary: ${missing} of ${all} sessions have no log yet; do not decide by this verdict when to stop`,
      ]
    : [];
