import type { CampaignPlan, PlannedSession } from '../../../../experiment/plan/plan.ts';
import type { Comparison } from '../../../../experiment/verdict/declaredComparisons.ts';
import type { SessionSummary } from '../../sessionSummary.ts';

/**
 * Sessions of one arm two by two, each once: over the same network and content from the same moment, in different pairs
 * of the plan; nothing differs between them but chance. A/A labels are one arm, so a campaign of them has its own pairs.
 * Without those where a simulator played both alike.
 */
export function equalArmPairs(
  { campaign, sessions }: CampaignPlan,
  byId: ReadonlyMap<string, SessionSummary>,
  { firstArm, secondArm, network }: Comparison,
): [SessionSummary, SessionSummary][] {
  const isAaTest = campaign.compare === 'aaLabels';
  const groups = new Map<string, SessionSummary[]>();
  for (const planned of sessions) {
    const { arm, pair } = planned.design;
    const session = byId.get(planned.id);
    if (!session || (arm !== firstArm && arm !== secondArm) || !isOn(planned, network)) continue;
    const key = isAaTest ? pair : `${arm} ${momentOf(planned)}`;
    if (!groups.get(key)?.push(session)) groups.set(key, [session]);
  }
  return [...groups.values()].flatMap(twoByTwo).filter(isNoCopy);
}

const isOn = ({ link }: PlannedSession, network: string | null): boolean =>
  network === null || link?.network === network;

const isNoCopy = ([one, other]: readonly [SessionSummary, SessionSummary]): boolean =>
  one.playbackHash === null || one.playbackHash !== other.playbackHash;

/** The conditions of a session: its content and all parameters of its link except the seed of its losses. */
const momentOf = ({ content, link }: PlannedSession): string =>
  [content, link?.network ?? '', link?.phaseMs ?? 0].join(' ');

const twoByTwo = (sessions: readonly SessionSummary[]): [SessionSummary, SessionSummary][] =>
  Array.from({ length: Math.floor(sessions.length / 2) }, (_, index) => [
    sessions[2 * index]!,
    sessions[2 * index + 1]!,
  ]);
