import type { SimModel } from '../model.ts';
import { createPlayerLog } from './playerLog.ts';
import { faultOfSettings, playerModelDefaults, type PlayerModelSettings } from './playerModelSettings.ts';
import { playSession } from './playSession.ts';

/** The player model with other settings than its defaults. Throws one sentence when nothing can be played with them. */
export function playerModelWith(changes: Partial<PlayerModelSettings>): SimModel {
  const settings = { ...playerModelDefaults, ...changes };
  const fault = faultOfSettings(settings);
  if (fault) throw new Error(fault);
  return {
    id: 'player',
    label: 'player model',
    meaning:
      'a dash.js player: handshakes, request latency, init segments, audio, 500 ms polls, waits, seeks, live; join time is no stall',
    simulate: (scene) => playSession(scene, settings, null).outcome,
    record(scene) {
      const log = createPlayerLog(scene, settings, 'player');
      const { outcome, endMs } = playSession(scene, settings, log);
      return { outcome, log: log.finish(endMs) };
    },
  };
}

export const playerModel: SimModel = playerModelWith({});
