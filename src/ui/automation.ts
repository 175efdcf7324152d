import type { Phase, Run } from './session/run.ts';

/**
 * What a script may do with this page: `globalThis.pitwall`. The headless lab uses it, and nothing else of the page.
 * Every method that needs a session rejects or throws with one sentence while there is none.
 */
export interface Automation {
  /** The whole log so far as JSON text of the session schema; also after the end. */
  session(): Promise<string>;
  state(): AutomationState;
  /**
   * Plays the stream that the query of a page's address names, as a visit of that address with `autoplay=1` would, so that
   * a page can be there before play is due. Resolves when the session records. Rejects with one sentence.
   */
  open(query: string): Promise<void>;
  play(): Promise<void>;
  pause(): void;
  /** Presentation time (VoD) or time in the DVR window (live). */
  seek(positionMs: number): void;
  /** Resolves when the rule decides: some are loaded first. Rejects with one sentence. */
  useRule(ruleId: string): Promise<void>;
  /** Resolves when no request of the player is in flight. */
  drained(): Promise<void>;
  /** Ends playback and closes the recording; the log stays readable. */
  stop(): Promise<void>;
}

export interface AutomationState {
  readonly phase: Phase;
  /** null before the first start. */
  readonly playheadMs: number | null;
  readonly sessionId: string | null;
  /** Session time, the clock of the log's `atMs`; null before the first start. */
  readonly sessionMs: number | null;
  readonly requestsInFlight: number;
  /** The sentence playback or the start ended with. */
  readonly error: string | null;
}

declare global {
  var pitwall: Automation | undefined;
}

interface Behind extends Pick<Automation, 'open'> {
  /** The newest run. */
  run(): Run | null;
  /** What comes before there is one. */
  pending(): { readonly phase: Phase; readonly error: string | null };
}

/**
 * Puts the automation on `globalThis`, for good: other scripts of the page, such as a build of dash.js that is compared, cannot
 * put something else in its place.
 */
export const expose = (automation: Automation): void =>
  void Object.defineProperty(globalThis, 'pitwall', { value: Object.freeze(automation) });

/** Exposes what a script may do with a page that plays. */
export function exposeAutomation({ run, pending, open }: Behind): void {
  const current = (): Run => {
    const found = run();
    if (!found) throw new Error(`nothing plays on this page (${pending().error ?? pending().phase})`);
    return found;
  };
  expose({
    session: async () => JSON.stringify(await current().session.log()),
    state: () => stateOf(run(), pending()),
    open,
    play: async () => await current().player.play(),
    pause: () => current().player.pause(),
    seek: (positionMs) => current().player.seek(positionMs),
    useRule: async (ruleId) => await current().player.useRule(ruleId),
    drained: async () => await current().player.telemetry.drained(),
    stop: async () => await current().stop(),
  });
}

function stateOf(run: Run | null, pending: { phase: Phase; error: string | null }): AutomationState {
  // A start that is under way or has failed is newer than the run before it.
  if (!run || pending.phase !== 'idle') {
    return { ...pending, playheadMs: null, sessionId: null, sessionMs: null, requestsInFlight: 0 };
  }
  const { telemetry } = run.player;
  return {
    phase: run.phase(),
    playheadMs: run.player.positionMs(),
    sessionId: telemetry.sessionId,
    sessionMs: telemetry.nowMs(),
    requestsInFlight: telemetry.openEvents().filter(({ kind }) => kind === 'request').length,
    error: run.error(),
  };
}
