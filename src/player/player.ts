import type { SessionStore } from '../telemetry/shell/store/sessionStore.ts';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import type { SizesWish } from './sizes/sizesSource.ts';
import type { PlacedPathway } from './steering/pathways.ts';

/** Controls a stream and its recording; `createPlayer(setup)` resolves to it. Hides dash.js from all other code. */
export interface Player {
  readonly video: HTMLVideoElement;
  readonly telemetry: Telemetry;
  play(): Promise<void>;
  pause(): void;
  /** Seeks to a presentation time (VoD) or a time in the DVR window (live), in ms. */
  seek(positionMs: number): void;
  positionMs(): number;
  /** Returns the duration in ms; null for a live stream without the end of a DVR window. */
  durationMs(): number | null;
  isLive(): boolean;
  /** Seeks to the live edge. */
  seekToLive(): void;
  /**
   * Switches the rule during playback. Takes the same values as `PlayerSetup`, and rejects with one sentence if it
   * cannot. If `weights` is absent, the first rule of the player keeps its weights; null selects the shipped weights.
   */
  useRule(rule: string, weights?: string | null): Promise<void>;
  audioTracks(): readonly Track[];
  textTracks(): readonly Track[];
  useAudioTrack(id: string): void;
  /** Selects subtitles; null turns them off. */
  useTextTrack(id: string | null): void;
  /** Reports an error that ended playback, in one sentence. Returns the disposer. */
  onFatal(listener: (message: string) => void): () => void;
  /** Reports in one sentence why playback waits without a request. Returns the disposer. */
  onNotice(listener: (message: string) => void): () => void;
  destroy(): Promise<void>;
}

export interface Track {
  readonly id: string;
  readonly label: string;
  readonly language: string | null;
  readonly current: boolean;
}

export interface PlayerSetup {
  readonly video: HTMLVideoElement;
  /** Shows TTML subtitles over the video; without it TTML tracks stay blank. */
  readonly captions?: HTMLDivElement;
  readonly mpdUrl: string;
  /** Selects the player (`others/createOtherPlayer.ts`); null or absent: dash.js, and for an HLS playlist hls.js. */
  readonly player?: string | null;
  /** Selects a rule of `player/rules.ts`: of dash.js (`dashjs-bola`) or ours, also with parameters (`fixed:level=4`). */
  readonly rule: string;
  /** Text of the weights file, for a rule that needs weights; null selects the shipped weights. */
  readonly weights?: string | null;
  /** Selects the source of segment sizes for our rules; `stream` if absent. See `sizes/README.md`. */
  readonly sizes?: SizesWish;
  /** Random seed of our rules (FESTIVE's request levels), a whole number from 0; 1 if absent. */
  readonly seed?: number;
  /** A preset of `player/presets.ts` as a text: `as-shipped`, `experiment`, `experiment:bufferSeconds=8`. */
  readonly presetId: string;
  readonly store?: SessionStore;
  readonly resumeId?: string;
  readonly startMs?: number;
  readonly cmcd?: { readonly version: 1 | 2; readonly mode: 'header' | 'query' } | null;
  /** Key-system settings in the format of dash.js, by key system id. Never logged. */
  readonly protection?: Readonly<Record<string, unknown>> | null;
  /** Request headers and credentials by origin ("https://cdn.example"). Never logged, never in a shared URL. */
  readonly origins?: Readonly<
    Record<string, { headers?: Readonly<Record<string, string>>; credentials?: boolean }>
  >;
  readonly keepQueryValues?: boolean;
  /** Servers with the same files, beside the MPD's. If there are none, `steering` uses those that the MPD declares. */
  readonly pathways?: readonly PlacedPathway[];
  /**
   * Selects the steering policy that chooses between them, also with parameters (`fixed:pathway=tcp`). null or absent:
   * `throughput` if there are pathways; otherwise nothing is steered.
   */
  readonly steering?: string | null;
  /** In how many byte ranges at once each video segment is requested, `6`; null or absent: whole. Not with steering. */
  readonly split?: string | null;
  /** The viewer's script that is followed in the session, for its log; null or absent: none. */
  readonly viewerScript?: string | null;
}
