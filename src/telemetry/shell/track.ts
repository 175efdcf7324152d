import type { MediaPlayerClass } from 'dashjs';
import { hasLadder } from '../event.ts';
import { createPendingDecisions } from '../recorder/pendingDecisions.ts';
import type { SessionHeader } from '../schema/sessionLog.ts';
import { createDashAdapter } from './dashAdapter.ts';
import { guarded } from './onEvents.ts';
import type { Recording } from './recording.ts';
import { createRequestBook } from './requests/requestBook.ts';
import { createRecordedFetch, trackSideRequests } from './requests/sideRequests.ts';
import { trackRequests } from './requests/trackRequests.ts';
import { nameMpd } from './sessionHeader.ts';
import { firstTime, onNextSource, onPlayer, type Surroundings } from './surroundings.ts';
import type { Telemetry } from './telemetry.ts';
import { trackBuffer } from './trackBuffer.ts';
import { trackDecisions } from './trackDecisions.ts';
import { trackErrors } from './trackErrors.ts';
import { trackPlayback, trackVisibility } from './trackPlayback.ts';
import { createLadders, trackManifests } from './trackPresentation.ts';
import { trackLevels } from './trackLevels.ts';
import { trackSwitches } from './trackSwitches.ts';

/** All trackers at work. */
interface Tracking extends Pick<Telemetry, 'decide' | 'drained' | 'fetch' | 'expectSeek'> {
  stop(): void;
}

/** Starts every tracker. `header` takes the MPD's URL from the first request when the caller gave none. */
export function track(around: Surroundings & { recording: Recording }, header: SessionHeader): Tracking {
  const { player, recording, clock, keepQueryValues, pathwayOf } = around;
  const ladders = createLadders(around);
  const decisions = createPendingDecisions((draft) => void recording.record(draft));
  const decisionTracker = trackDecisions(around, { decisions, ladders });
  const { sessionMs } = clock;
  const surroundings = { sessionMs, keepQueryValues, pageOrigin: location.origin, pathwayOf };
  const side = trackSideRequests(around, surroundings);
  const book = createRequestBook({
    recording,
    ...surroundings,
    takeOthers: side.take,
    onSent(entry) {
      const { type, mediaType, continues } = entry.purpose;
      if (type === 'manifest') nameMpd(header, entry.url, keepQueryValues);
      // What is continued on another pathway was decided when its first part was requested.
      if (type === 'media' && continues === undefined && hasLadder(mediaType))
        decisionTracker.onMediaRequest(mediaType, entry);
    },
  });
  const requests = trackRequests({ ...around, book, ladders });
  const screen = trackPlayback({ ...around, adapter: createDashAdapter(player) });
  const disposers = [
    trackManifests(around),
    trackSwitches(around, ladders),
    trackLevels(around, { ladders, screen }),
    trackBuffer(around),
    trackVisibility(around),
    trackErrors(around, requests.idOf),
    side.dispose,
    onPlayer(player, {
      playbackSeeking: () => decisions.release(),
      manifestLoadingStarted: firstTime(() => nameRule(around, header)),
    }),
    onNextSource(player, ladders.forget),
    requests.dispose,
    book.close,
    decisionTracker.dispose,
    screen.dispose,
  ];
  return {
    decide: decisionTracker.decide,
    drained: book.drained,
    fetch: createRecordedFetch(book),
    expectSeek: screen.expectSeek,
    stop() {
      for (const dispose of disposers) guarded(dispose)();
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

/** Which of dash.js' own rules are switched on, as one name and with its numbers; for players that do not tell. */
function builtInRule(player: MediaPlayerClass): {
  rule: string;
  parameters: Record<string, number | boolean>;
} {
  const rules = player.getSettings().streaming?.abr?.rules ?? {};
  const active = Object.entries(rules).filter(([, settings]) => settings?.active);
  const names = active.map(([name]) => name);
  const has = (name: string): boolean => names.includes(name);
  return { rule: nameOf(has, names), parameters: Object.fromEntries(names.map((name) => [name, true])) };
}

/** The rules for low latency, which dash.js tests without its others. */
const LONE_RULES: Readonly<Record<string, string>> = { l2ARule: 'dashjs-l2a', loLPRule: 'dashjs-lolp' };

function nameOf(has: (name: string) => boolean, names: readonly string[]): string {
  // With neither, dash.js puts both back in (ABRRulesCollection._updateRules), but only when nothing else is active.
  if (names.length === 0 || (has('throughputRule') && has('bolaRule'))) return 'dashjs-dynamic';
  if (has('throughputRule')) return 'dashjs-throughput';
  return has('bolaRule') ? 'dashjs-bola' : (LONE_RULES[names.join('+')] ?? names.join('+'));
}
