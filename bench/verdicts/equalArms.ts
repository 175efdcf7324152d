import { seededRandom } from '../../src/analysis/statistics/random.ts';
import type { CampaignPlan } from '../../experiment/plan/plan.ts';
import type { ReportSource } from '../../src/report/reportSource.ts';
import type { SessionSummary } from '../../src/report/sessionSummary.ts';

/**
 * A campaign between whose arms nothing differs: every session of a pair is another play of that pair's pool, drawn without
 * replacement. Every assignment of plays to arms is as likely as any other, so whatever a report claims is a false alarm.
 */
export function equalArms(
  plan: CampaignPlan,
  pool: readonly (readonly SessionSummary[])[],
  seed: number,
): ReportSource {
  const random = seededRandom(seed);
  const pairs = [...new Set(plan.sessions.map(({ design }) => design.pair))];
  const left = new Map(pairs.map((pair, index) => [pair, [...pool[index]!]]));
  const sessions = plan.sessions.map(({ id, rule, transport, content, link, design }) => {
    const plays = left.get(design.pair)!;
    const [play] = plays.splice(Math.floor(random() * plays.length), 1);
    return { ...play!, ...{ id, rule, transport, content, network: link?.network ?? null, design } };
  });
  const outcomes = sessions.map(({ id }) => ({ id, state: 'finished' as const, why: null, failedTries: 0 }));
  return { plan, sessions, flagged: [], outcomes, notes: [] };
}
