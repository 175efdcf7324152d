import { errorDraft } from '../../telemetry/errorDraft.ts';
import type { SessionOptions, Telemetry } from '../../telemetry/shell/telemetry.ts';
import { createFatal, type Fatal } from '../failures/watchFailures.ts';
import type { PlayerSetup } from '../player.ts';

/** How long requests may take to end once a player is destroyed, ms: it cancels them. */
const DRAIN_MS = 2000;

export async function drainAndStop(telemetry: Telemetry): Promise<void> {
  await Promise.race([telemetry.drained(), new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  await telemetry.stop();
}

/** What a recording of a player takes from the set-up. `settings`: those that differ from the player's own. */
export function optionsOf(
  { store, resumeId, keepQueryValues = false, mpdUrl, viewerScript }: PlayerSetup,
  settings: Readonly<Record<string, number>>,
): SessionOptions {
  return {
    ...(store && { store }),
    ...(resumeId !== undefined && { resumeId }),
    keepQueryValues,
    environment: {
      mpdUrl,
      settings,
      missing: { dashjsVersion: 'not-applicable', preset: 'not-applicable' },
      ...(viewerScript != null && { viewer: viewerScript }),
    },
  };
}

/** The sentence that playback ended with, and the first one about a wait, each also in the log. `end` stops the player. */
export function reportEnds(telemetry: Telemetry, end: () => void): { fatal: Fatal; notices: Fatal } {
  const report = (error: { code: string; message: string; fatal: boolean }): void =>
    void telemetry.record(errorDraft({ atMs: telemetry.nowMs(), source: 'player', ...error }));
  return {
    notices: createFatal((message) => report({ code: 'waiting', message, fatal: false })),
    fatal: createFatal((message) => {
      report({ code: 'ended', message, fatal: true });
      // Not at once: the player is in the middle of reporting it.
      setTimeout(end);
    }),
  };
}
