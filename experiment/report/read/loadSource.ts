import path from 'node:path';
import { readOwnLog } from '../../runner/finishedSessions.ts';
import { readPlan, readSummaries } from './readSummaries.ts';
import { type ClaimsOf, hashesOf, readRegistrations } from '../../runner/registration.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { sessionsToPlay } from '../../design/variants.ts';
import { registrationReport, unreadableRegistration, type RegistrationReport } from '../registered.ts';
import { formatFairness } from '../../runner/formatPlan.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { formatNotSimulated, isWithoutLosses } from '../../runner/simulated/formatNotSimulated.ts';
import { type ReportSource, type SessionOutcome, reportSourceOf } from '../reportSource.ts';
import { isSimulated } from '../../../src/telemetry/isSimulated.ts';

/**
 * Reads a campaign's folder, each log once. Without `claimsOf` the claims of papers are not known. @throws Error in one sentence
 * where nothing can be reported
 */
export async function loadSource(folder: string, claimsOf?: ClaimsOf): Promise<ReportSource> {
  const plan = await readPlan(folder);
  const logDir = logDirOf(path.resolve(folder));
  const { primary } = plan.campaign;
  const all = await readSummaries({ logDir, primary, sessions: sessionsToPlay(plan) });
  const read = all.slice(0, plan.sessions.length);
  const finished = read.flatMap(({ summary }) => (summary ? [summary] : []));
  if (finished.length === 0)
    throw new Error(`${folder}: ${formatNothing(read.map(({ outcome }) => outcome))}`);
  const allSimulated = finished.every(isSimulated);
  const notes = allSimulated ? notSimulatedIn(folder, plan) : formatFairness(plan);
  const source = reportSourceOf(plan, all, notes);
  // The simulator plays a campaign anew whenever it is asked: there is no first session.
  return allSimulated ? source : { ...source, registration: registrationOf(folder, plan, claimsOf) };
}

function notSimulatedIn(folder: string, plan: CampaignPlan): string[] {
  const withoutLosses = isWithoutLosses(
    plan,
    (session) => readOwnLog(folder, session)?.environment.settings ?? null,
  );
  return formatNotSimulated(plan, { withoutLosses }).split('\n');
}

function registrationOf(folder: string, plan: CampaignPlan, claimsOf?: ClaimsOf): RegistrationReport {
  const registered = readRegistrations(folder);
  if (!registered.ok) return unreadableRegistration(registered.error);
  return registrationReport(registered.value, hashesOf(folder, plan, claimsOf));
}

/** Why there is nothing to report: of each state how many, with an example of what went wrong. */
function formatNothing(outcomes: readonly SessionOutcome[]): string {
  const played = outcomes.find(({ state }) => state !== 'not-played');
  return played === undefined
    ? `None of its ${outcomes.length} sessions has been played yet.`
    : `None of its ${outcomes.length} sessions has a complete log; ${played.id}: ${played.why ?? 'the reason is unknown.'}`;
}
