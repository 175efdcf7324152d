import type { FinishedSessions } from './finishedSessions.ts';
import type { CampaignPlan } from '../../plan/plan.ts';
import { formatCount } from '../../../src/shared/format.ts';

/** How many sessions of which cell showed no frame, and why: a line for each reason. None where all showed one. */
export function formatNotShown(
  { sessions }: Pick<CampaignPlan, 'sessions'>,
  finished: FinishedSessions,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const { id, design } of sessions) {
    const why = finished.get(id)?.whyNotPlayed ?? null;
    const line = `${design.cell}: ${why}`;
    if (why !== null) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const sum = [...counts.values()].reduce((total, each) => total + each, 0);
  if (sum === 0) return [];
  return [
    `${formatCount(sum, 'session')} showed no frame:`,
    ...[...counts].sort().map(([line, count]) => `  ${count} × ${line}`),
  ];
}
