import { cachedAnswers } from './cachedAnswers.ts';
import { droppedFrames } from './droppedFrames.ts';
import { failedRequests } from './failedRequests.ts';
import { fatalErrors } from './fatalErrors.ts';
import type { Diagnostic } from './finding.ts';
import { hiddenTab } from './hiddenTab.ts';
import { noTimingAllowOrigin } from './noTimingAllowOrigin.ts';
import { noTimingEntry } from './noTimingEntry.ts';
import { onlyHttp1 } from './onlyHttp1.ts';
import { protocolSwitches } from './protocolSwitches.ts';
import { rangeAmbiguous } from './rangeAmbiguous.ts';
import { rangeCache } from './rangeCache.ts';
import { rangeIgnored } from './rangeIgnored.ts';
import { recordingGaps } from './recordingGaps.ts';
import { ruleFaults } from './ruleFaults.ts';
import { sizesFaults } from './sizesFaults.ts';
import { stalls } from './stalls.ts';

/** Every diagnostic. What they find is ordered by severity and time, not by this list. */
export const diagnostics: readonly Diagnostic[] = [
  fatalErrors,
  stalls,
  failedRequests,
  protocolSwitches,
  noTimingAllowOrigin,
  noTimingEntry,
  rangeAmbiguous,
  rangeCache,
  rangeIgnored,
  ruleFaults,
  sizesFaults,
  droppedFrames,
  onlyHttp1,
  cachedAnswers,
  hiddenTab,
  recordingGaps,
];
