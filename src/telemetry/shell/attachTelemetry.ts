import type { MediaPlayerClass } from 'dashjs';
import { startSession } from './startSession.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';
import { track } from './track.ts';

/**
 * Records what a dash.js 5 player does, as a session log. Call it, and wait for it, after `MediaPlayer().create()`
 * and before `initialize`: then it sees the first manifest request and every rule's vote. Attached later it records
 * from there on, and decisions without votes. Call `stop` before you attach again: `player.reset()` takes only the
 * interceptors off.
 */
export async function attachTelemetry(
  player: MediaPlayerClass,
  video: HTMLMediaElement,
  options: TelemetryOptions = {},
): Promise<Telemetry> {
  const { keepQueryValues = false, pathwayOf } = options;
  const environment = { dashjsVersion: player.getVersion(), ...options.environment };
  return startSession(video, { ...options, environment }, ({ header, ...session }) =>
    track({ player, video, keepQueryValues, pathwayOf, ...session }, header),
  );
}
