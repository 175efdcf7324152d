import { Option, type Command } from 'commander';
import { wholeNumber } from '../options.ts';
import type { PlayerModelSettings } from '../../src/sim/player/playerModelSettings.ts';

/** What can be asked of the player model. The rest is constant: that of dash.js, or what browsers do. */
export interface PlayerOptions {
  readonly protocol?: PlayerModelSettings['protocol'];
  readonly rtt?: number;
  readonly buffer?: number;
  /** Beside the video, kbit/s. */
  readonly audio?: number;
}

/** The options of `--model player`. */
export const withPlayerOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--protocol <id>',
        'with --model player: h1, h2 (default) or h3; sets handshakes, headers and order of bodies',
      ).choices(['h1', 'h2', 'h3']),
    )
    .option(
      '--rtt <ms>',
      'with --model player: round-trip time (default: that of the trace, or 80)',
      wholeNumber('--rtt', { min: 0 }),
    )
    .option(
      '--buffer <s>',
      'with --model player: buffer target (default: 20)',
      wholeNumber('--buffer', { min: 1 }),
    )
    .option(
      '--audio <kbps>',
      'with --model player: bitrate of audio for a video that has none (default: no audio)',
      wholeNumber('--audio', { min: 1 }),
    );

/** As the model takes them; `audio` is of the content. @throws Error in one sentence when they are asked of another model */
export function playerSettingsOf(
  { protocol, rtt, buffer, audio }: PlayerOptions,
  modelId: string,
): Partial<PlayerModelSettings> {
  const asked = Object.entries({ protocol, rtt, buffer, audio }).find(([, value]) => value !== undefined);
  if (asked && modelId !== 'player') throw new Error(`--${asked[0]} needs --model player.`);
  return {
    ...(protocol !== undefined && { protocol }),
    ...(rtt !== undefined && { rttMs: rtt }),
    ...(buffer !== undefined && { bufferTargetMs: buffer * 1000, bufferTargetAtTopMs: buffer * 1000 }),
  };
}
