import { formatRule } from '../../player/formatRule.ts';
import type { SessionStore } from '../../telemetry/shell/store/sessionStore.ts';

/** Where and with what a recording that was cut off goes on. */
export interface ResumePoint {
  readonly mpd: string | null;
  readonly rule: string | null;
  readonly preset: string | null;
  /** null for live: it goes on at the live edge. */
  readonly startMs: number | null;
}

const NOTHING = { mpdUrl: null, rule: null, ruleParameters: null, preset: null };

/** Reads the resume point out of the store. `typed` is the address in the start form. */
export async function resumePoint(store: SessionStore, id: string, typed: string): Promise<ResumePoint> {
  const { mpdUrl, rule, ruleParameters, preset } = (await store.header(id))?.environment ?? NOTHING;
  let live = false;
  let startMs: number | null = null;
  for await (const batch of store.events(id, ['manifest', 'playback'])) {
    for (const event of batch) {
      if (event.kind === 'manifest') live = event.type === 'dynamic';
      if (event.kind === 'playback') startMs = Math.max(0, event.playheadMs);
    }
  }
  return {
    mpd: withQuery(mpdUrl, typed),
    rule: rule && formatRule(rule, ruleParameters),
    preset,
    startMs: live ? null : startMs,
  };
}

/** The log has no query values (signed tokens must not leave): the same address in the form still has them. */
function withQuery(logged: string | null, typed: string): string | null {
  const [ours, theirs] = [URL.parse(logged ?? ''), URL.parse(typed)];
  const same = ours && theirs && ours.origin === theirs.origin && ours.pathname === theirs.pathname;
  return same ? typed : logged;
}
