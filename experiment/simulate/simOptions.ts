import type { PlayerModelSettings } from '../../src/sim/player/playerModelSettings.ts';
import { usageError } from '../../node/exitCodes.ts';

/** What `pitwall sim` was asked for. */
export interface SimOptions extends PlayerOptions {
  readonly rules: string;
  readonly traces: readonly string[];
  readonly format?: string;
  readonly video: string;
  /** A file of certificates in PEM that the requests for an MPD trust beside the public ones. */
  readonly trust?: string;
  readonly ladder?: readonly number[];
  readonly segmentMs?: number;
  readonly qoe: string;
  readonly model: string;
  readonly json?: string;
  readonly log?: string;
  /** With `--paired`, and a file where one is named. */
  readonly paired?: string | true;
  readonly seed: number;
  readonly jobs: number;
  /** False with `--no-optimum`. */
  readonly optimum: boolean;
}

/** What can be asked of the player model. The rest is constant: that of dash.js, or what browsers do. */
export interface PlayerOptions {
  readonly protocol?: PlayerModelSettings['protocol'];
  readonly rtt?: number;
  readonly buffer?: number;
  /** Beside the video, kbit/s. */
  readonly audio?: number;
}

/** As the model takes them; `audio` is of the content. @throws Error in one sentence when they are asked of another model */
export function playerSettingsOf(
  { protocol, rtt, buffer, audio }: PlayerOptions,
  modelId: string,
): Partial<PlayerModelSettings> {
  const asked = Object.entries({ protocol, rtt, buffer, audio }).find(([, value]) => value !== undefined);
  if (asked && modelId !== 'player') throw usageError(`--${asked[0]} needs --model player.`);
  return {
    ...(protocol !== undefined && { protocol }),
    ...(rtt !== undefined && { rttMs: rtt }),
    ...(buffer !== undefined && { bufferTargetMs: buffer * 1000, bufferTargetAtTopMs: buffer * 1000 }),
  };
}
