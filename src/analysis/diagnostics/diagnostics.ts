import { backAndForth } from './backAndForth.ts';
import {
  cachedAnswers,
  noTimingEntry,
  preflights,
  rangeCache,
  rangeIgnored,
  redirectedMedia,
  workerAnswers,
} from './countedRequests.ts';
import { droppedFrames, hiddenTab, lateFrames, recordingGaps } from './conditions.ts';
import { failedRequests } from './failedRequests.ts';
import { fatalErrors, missingLevel, playerNotices, ruleFaults } from './errors.ts';
import { type Diagnostic, SEVERITIES, type Finding, type SessionFacts } from './finding.ts';
import { noTimingAllowOrigin, onlyHttp1 } from './origins.ts';
import { protocolSwitches } from './protocolSwitches.ts';
import { stalls } from './stalls.ts';
import { leftPathway, slowerUdp } from './steering.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';

/** Every diagnostic. What they find is ordered by severity and time, not by this list. */
export const diagnostics: readonly Diagnostic[] = [
  fatalErrors,
  stalls,
  failedRequests,
  protocolSwitches,
  slowerUdp,
  leftPathway,
  backAndForth,
  noTimingAllowOrigin,
  noTimingEntry,
  rangeCache,
  rangeIgnored,
  ruleFaults,
  missingLevel,
  playerNotices,
  droppedFrames,
  lateFrames,
  onlyHttp1,
  cachedAnswers,
  workerAnswers,
  redirectedMedia,
  preflights,
  hiddenTab,
  recordingGaps,
];

/** What went wrong or is odd in a session, found while it grows; memory stays bounded however long it lasts. */
export interface Diagnostics {
  append(event: SessionEvent): void;
  /**
   * Worst first, then by time. `open`: what is unfinished now (`telemetry.openEvents()`); what goes on now then comes first.
   * Left out for a session that is over.
   */
  findings(open?: readonly SessionEvent[]): readonly Finding[];
}

export function createDiagnostics(session: SessionFacts): Diagnostics {
  const watches = diagnostics.map((diagnostic) => diagnostic.watch(session));
  return {
    append(event) {
      for (const watch of watches) watch.see(event);
    },
    findings(open) {
      const found = watches.flatMap((watch) => watch.findings(open ?? []));
      const now = open === undefined ? [] : found.filter(({ isCurrent }) => isCurrent);
      const rest = found.filter((finding) => !now.includes(finding));
      return [...now.sort(inOrder), ...rest.sort(inOrder)];
    },
  };
}

/** The text of a finding: its sentence and, where something can be done, what. */
export const formatFinding = ({ sentence, fix }: Finding): string =>
  fix === null ? `${sentence}.` : `${sentence}: ${fix}`;

/** What concerns the whole session follows what has a moment. */
const LAST = Number.MAX_VALUE;

function inOrder(a: Finding, b: Finding): number {
  const bySeverity = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return bySeverity || (a.atMs ?? LAST) - (b.atMs ?? LAST) || (a.id < b.id ? -1 : Number(a.id > b.id));
}
