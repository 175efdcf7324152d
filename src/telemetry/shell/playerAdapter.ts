import type { Absent } from '../event.ts';

/** Ends what was begun. */
type Dispose = () => void;
/** Announces something: calls `act` each time. */
type Announce = (act: () => void) => Dispose;

/** What the trackers of playback and of the screen need to know of the player behind an element. */
export interface PlayerAdapter {
  /** Whether playback begins by itself once there is media. */
  startsAlone(): boolean;
  /** Whether the element played when the recording began; then its first frame was before. */
  readonly hasBegun?: boolean;
  /** Whether it also seeks without being asked: then a seek that no touch of the page comes before is its own. */
  seeksAlone(): boolean;
  /** What an event says of the latency of a live stream, in ms. */
  latency(): { liveLatencyMs: number | Absent; liveLatencyErrorMs?: number | Absent };
  /** It begins to load what it plays. */
  readonly onLoading: Announce;
  /** It takes another source. */
  readonly onNextSource: Announce;
  /** There is more media in the buffer. */
  readonly onAppended: Announce;
  /** It seeks because somebody asked for it. null: it does not say so, and any seek may be of that kind. */
  readonly onSeekAsked: Announce | null;
  readonly dispose: Dispose;
}
