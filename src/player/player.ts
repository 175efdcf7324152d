import type { SessionStore } from '../telemetry/shell/sessionStore.ts';
import type { SizesWish } from './sizes/sizesWish.ts';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';

/** A playing stream with its recording: what `createPlayer(setup)` resolves to. Knows dash.js so that nobody else must. */
export interface Player {
  readonly video: HTMLVideoElement;
  readonly telemetry: Telemetry;
  play(): Promise<void>;
  pause(): void;
  /** Presentation time (VoD) or time in the DVR window (live), ms. */
  seek(positionMs: number): void;
  positionMs(): number;
  /** null for live without DVR end. */
  durationMs(): number | null;
  isLive(): boolean;
  /** To the live edge. */
  seekToLive(): void;
  /**
   * Switches the rule during play; takes what `PlayerSetup` takes, and rejects with one sentence where it cannot. Without a
   * word of weights the rule that the player began with keeps those; null: what the rule comes with.
   */
  useRule(rule: string, weights?: string | null): Promise<void>;
  audioTracks(): readonly Track[];
  textTracks(): readonly Track[];
  useAudioTrack(id: string): void;
  /** null turns subtitles off. */
  useTextTrack(id: string | null): void;
  /** A failure that ended playback, in one sentence for people. Returns the disposer. */
  onFatal(listener: (message: string) => void): () => void;
  /** What playback waits for when it asks for nothing, in one sentence. Returns the disposer. */
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
  /** An element over the video into which TTML subtitles are drawn; without it a stream's TTML tracks stay blank. */
  readonly captions?: HTMLDivElement;
  readonly mpdUrl: string;
  /** Of `player/rules.ts`: dash.js' own (`dashjs-bola`) or ours, with parameters or without (`fixed:rung=3`). */
  readonly rule: string;
  /** Text of the weights file, for a rule that cannot decide without one; null for the one that comes with the rule. */
  readonly weights?: string | null;
  /** Where rules of ours learn the sizes of segments; `stream` when absent. See `sizes/README.md`. */
  readonly sizes?: SizesWish;
  /** What rules of ours draw their lots from (FESTIVE's request levels), a whole number from 0; 1 when absent. */
  readonly seed?: number;
  /** Of `player/presets.ts`: `as-shipped` or `experiment`. */
  readonly presetId: string;
  readonly store?: SessionStore;
  readonly resumeId?: string;
  readonly startMs?: number;
  readonly cmcd?: { readonly version: 1 | 2; readonly mode: 'header' | 'query' } | null;
  /** Key-system settings as dash.js takes them, by key system id. Never logged. */
  readonly protection?: Readonly<Record<string, unknown>> | null;
  /** Request headers and credentials by origin ("https://cdn.example"). Never logged, never in a shared URL. */
  readonly origins?: Readonly<
    Record<string, { headers?: Readonly<Record<string, string>>; credentials?: boolean }>
  >;
  readonly keepQueryValues?: boolean;
}
