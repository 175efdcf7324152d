import { createPendingDecisions } from '../pendingDecisions.ts';
import { redactUrl } from '../redactUrl.ts';
import type { SessionHeader } from '../schema/sessionLog.ts';
import { builtInRule } from './builtInRule.ts';
import { createRecordedFetch } from './recordedFetch.ts';
import { createLadders } from './ladders.ts';
import type { Recording } from './recording.ts';
import { createRequestBook } from './requestBook.ts';
import type { Telemetry } from './telemetry.ts';
import { trackBuffer } from './trackBuffer.ts';
import { trackDecisions } from './trackDecisions.ts';
import { onPlayer, type Surroundings } from './tracker.ts';
import { trackErrors } from './trackErrors.ts';
import { trackFrames } from './trackFrames.ts';
import { trackManifests } from './trackManifests.ts';
import { trackPlayback } from './trackPlayback.ts';
import { trackRequests } from './trackRequests.ts';
import { trackSideRequests } from './trackSideRequests.ts';
import { trackSwitches } from './trackSwitches.ts';
import { trackVisibility } from './trackVisibility.ts';

/** All trackers at work. */
export interface Tracking extends Pick<Telemetry, 'decide' | 'drained' | 'fetch'> {
  stop(): void;
}

/** Starts every tracker. `header` takes the MPD's URL from the first request when the caller gave none. */
export function track(around: Surroundings & { recording: Recording }, header: SessionHeader): Tracking {
  const { player, recording, clock, keepQueryValues } = around;
  const ladders = createLadders(around);
  const decisions = createPendingDecisions((draft) => void recording.record(draft));
  const decisionTracker = trackDecisions(around, { decisions, ladders });
  const surroundings = { sessionMs: clock.sessionMs, keepQueryValues, pageOrigin: location.origin };
  const side = trackSideRequests(around, surroundings);
  const book = createRequestBook({
    recording,
    ...surroundings,
    takeOthers: side.take,
    onSent(entry) {
      const { type, mediaType } = entry.purpose;
      if (type === 'manifest') nameMpd(header, entry.url, keepQueryValues);
      if (type === 'media' && (mediaType === 'video' || mediaType === 'audio'))
        decisionTracker.onMediaRequest(mediaType, entry);
    },
  });
  const requests = trackRequests({ ...around, book, ladders });
  const disposers = [
    trackManifests(around),
    trackPlayback(around),
    trackSwitches(around, ladders),
    trackBuffer(around),
    trackFrames(around),
    trackVisibility(around),
    trackErrors(around, requests.idOf),
    side.dispose,
    onPlayer(player, {
      playbackSeeking: () => decisions.release(),
      manifestLoadingStarted: firstTime(() => nameRule(around, header)),
    }),
  ];
  return {
    decide: decisionTracker.decide,
    drained: book.drained,
    fetch: createRecordedFetch(book),
    stop() {
      for (const dispose of disposers) dispose();
      requests.dispose();
      book.close();
      decisionTracker.dispose();
    },
  };
}

/** For players that do not say which rule is in charge: what their settings say, when the first manifest is asked for. */
function nameRule({ player, recording, clock }: Surroundings, { environment }: SessionHeader): void {
  if (environment.rule !== null) return;
  const { rule, parameters } = builtInRule(player);
  environment.rule = rule;
  delete environment.missing['rule'];
  recording.record({ kind: 'rule', atMs: clock.nowMs(), rule, parameters, missing: {} });
}

function nameMpd({ environment }: SessionHeader, url: string, keepQueryValues: boolean): void {
  if (environment.mpdUrl !== null) return;
  environment.mpdUrl = redactUrl(url, keepQueryValues);
  delete environment.missing['mpdUrl'];
}

function firstTime(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
