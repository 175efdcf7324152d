import type { FragmentRequest, MediaPlayerClass, Representation } from 'dashjs';

/** The part of dash.js' StreamProcessor (streaming/StreamProcessor.js) that we use: one per media type and period. */
export interface Processor {
  getType(): string;
  /** null before the first media request of the period. */
  getLastSegment(): object | null;
  /** The next media request if nothing was sought; does not change anything. */
  probeNextRequest(): (FragmentRequest & { readonly representation?: Representation }) | null;
  getFragmentModel(): {
    getRequests(filter: { state: 'loading' | 'executed' }): FragmentRequest[];
    abortRequests(): void;
  };
  /** s. The next request will be for this presentation time. */
  setExplicitBufferingTime(seconds: number): void;
  getBufferController(): {
    /** While it says so, no media request is made; asked again after `scheduling.defaultTimeout`. */
    getIsPruningInProgress: () => boolean;
  };
  isBufferingCompleted(): boolean;
  getRepresentationController(): {
    getRepresentationById(
      id: string,
    ): { readonly segments?: readonly { mediaRange?: string | null }[] | null } | null;
  };
  getScheduleController(): ScheduleController;
}

/** The part of dash.js' ScheduleController (streaming/controllers/ScheduleController.js) that we use. */
export interface ScheduleController {
  startScheduleTimer(delayMs?: number): void;
  /** Whether the rules are asked before the next request. */
  setShouldCheckPlaybackQuality(isAsked: boolean): void;
  getPlaybackController(): {
    getStreamController(): { getStreams(): readonly { getStreamProcessors(): unknown[] }[] };
  };
}

/** Those of the period that plays; none before the first. `index.d.ts` has them as any[]. */
export function streamProcessors(player: MediaPlayerClass): readonly Processor[] {
  return (player.getActiveStream()?.getStreamProcessors() ?? []) as Processor[];
}

/** The one that a schedule belongs to, also of a period that dash.js loads ahead; null when it is gone. */
export function findProcessor(schedule: ScheduleController): Processor | null {
  const streams = schedule.getPlaybackController().getStreamController().getStreams();
  const all = streams.flatMap((stream) => stream.getStreamProcessors() as Processor[]);
  return all.find((each) => each.getScheduleController() === schedule) ?? null;
}
