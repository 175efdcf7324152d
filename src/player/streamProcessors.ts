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
  isBufferingCompleted(): boolean;
  getRepresentationController(): {
    getRepresentationById(
      id: string,
    ): { readonly segments?: readonly { mediaRange?: string | null }[] | null } | null;
  };
  getScheduleController(): { startScheduleTimer(delayMs?: number): void };
}

/** Those of the period that plays; none before the first. `index.d.ts` has them as any[]. */
export function streamProcessors(player: MediaPlayerClass): readonly Processor[] {
  return (player.getActiveStream()?.getStreamProcessors() ?? []) as Processor[];
}
