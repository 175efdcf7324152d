import type { Profile } from '../profile.ts';
import { udpLimiter } from './udpLimiter.ts';

/**
 * The path of `udpLimiter`, on which UDP vanishes without a word from 20 s to 40 s: long enough for Chromium to give a QUIC
 * connection up (some 6 s) and to race again.
 */
export const udpBlock: Profile = {
  ...udpLimiter,
  id: 'udp-block',
  label: 'UDP block',
  paper: 'Ours: what a browser does when QUIC dies during a session',
  udp: [{ fromMs: 20_000, untilMs: 40_000, kbps: 0 }],
};
