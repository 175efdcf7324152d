import type { FragmentRequest, MediaPlayerClass, Representation } from 'dashjs';

/** What dash.js knows of a media segment (dash/utils/SegmentsUtils.js), s. */
export interface Segment {
  readonly presentationStartTime: number;
  readonly mediaStartTime: number;
  readonly duration: number;
}

/** An `S` element of a SegmentTimeline, in the timescale of the representation (ISO/IEC 23009-1, 5.3.9.6). */
export interface TimelineEntry {
  readonly t?: number;
  readonly d: number;
  readonly r?: number;
}

/** An element of the parsed MPD, as far as its SegmentTimeline. */
interface TimedElement {
  readonly SegmentTimeline?: { readonly S?: readonly TimelineEntry[] };
}

/** A representation and its place in the parsed MPD, as dash.js itself finds it (dash/utils/TimelineSegmentsGetter.js). */
export interface TimedRepresentation {
  readonly index: number;
  readonly timescale: number;
  /** Where the last segment of a SegmentTimeline ends, s of media time; absent for other representations. */
  readonly mediaFinishedInformation?: { readonly mediaTimeOfLastSignaledSegment?: number };
  readonly adaptation: {
    readonly index: number;
    readonly period: {
      readonly index: number;
      readonly mpd: {
        readonly manifest: {
          readonly Period?: readonly {
            readonly AdaptationSet?: readonly {
              readonly Representation?: readonly {
                readonly SegmentTemplate?: TimedElement;
                readonly SegmentList?: TimedElement;
              }[];
            }[];
          }[];
        };
      };
    };
  };
}

/** The part of dash.js' StreamProcessor (streaming/StreamProcessor.js) that we use: one per media type and period. */
export interface Processor {
  getType(): string;
  /** Returns the last segment; null before the first media request of the period. */
  getLastSegment(): Segment | null;
  /** Returns the representation that is loaded from now on; null before the period is set up. */
  getRepresentation(): TimedRepresentation | null;
  /** Returns the next media request if nothing was sought; does not change anything. */
  probeNextRequest(): (FragmentRequest & { readonly representation?: Representation }) | null;
  getFragmentModel(): {
    getRequests(filter: { state: 'loading' | 'executed' }): FragmentRequest[];
    abortRequests(): void;
  };
  /** Sets the presentation time of the next request, s. */
  setExplicitBufferingTime(seconds: number): void;
  getBufferController(): {
    /** Tells whether the buffer is pruned: no media request is made then. Asked again after `scheduling.defaultTimeout`. */
    getIsPruningInProgress: () => boolean;
    /** Sets the presentation time, s, to which playback is moved once its media has come; NaN: nowhere. */
    setSeekTarget(seconds: number): void;
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
  getPlaybackController(): PlaybackController;
}

/** The part of dash.js' PlaybackController (streaming/controllers/PlaybackController.js) that we use: one per player. */
export interface PlaybackController {
  /** Returns how far the playhead is from the end of a period, s, below 0 behind it; without `streamInfo` of the one that plays. */
  getTimeToStreamEnd(streamInfo?: unknown): number;
  getStreamController(): { getStreams(): readonly DashStream[] };
}

/** The part of dash.js' Stream (streaming/Stream.js) that we use: one per period. */
export interface DashStream {
  getStreamProcessors(): unknown[];
  /** Begins to load the period while another plays. Resolves once that has begun. */
  startPreloading(...args: unknown[]): Promise<void>;
}

/** Returns the processors of the period that plays; none before the first. `index.d.ts` has them as any[]. */
export function streamProcessors(player: MediaPlayerClass): readonly Processor[] {
  return (player.getActiveStream()?.getStreamProcessors() ?? []) as Processor[];
}

/** Returns the processor of a schedule, also of a period that dash.js loads ahead; null when it is gone. */
export const findProcessor = (schedule: ScheduleController): Processor | null =>
  processorsBeside(schedule).find((each) => each.getScheduleController() === schedule) ?? null;

/** Returns the processors of all periods that dash.js has set up; none before the first. */
export function allProcessors(player: MediaPlayerClass): readonly Processor[] {
  const [first] = streamProcessors(player);
  return first ? processorsBeside(first.getScheduleController()) : [];
}

function processorsBeside(schedule: ScheduleController): readonly Processor[] {
  const streams = schedule.getPlaybackController().getStreamController().getStreams();
  return streams.flatMap((stream) => stream.getStreamProcessors() as Processor[]);
}
