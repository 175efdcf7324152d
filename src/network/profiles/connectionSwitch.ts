import type { Profile, ProfileStep } from '../profile.ts';
import { accessStep } from './accessNetwork.ts';

/** When the client changes its network, in s; it begins on WiFi and changes back and forth (Table 4). */
const SWITCHES_SECONDS = [60, 180, 300, 420, 480, 540];
const END_SECONDS = 600;

/**
 * The connection switches of the thesis (§3.1.2): six in 600 s, WiFi first and last. Each gives the client another
 * address. The thesis plays live content with a small buffer through it. It does not state how long the client was
 * without any network; here the next network is there at once.
 */
export const connectionSwitch = (other: 'LTE' | '3G'): Profile => ({
  id: `switch-wifi-${other.toLowerCase()}`,
  label: `Connection switches, WiFi and ${other}`,
  paper: 'Arısu, HTTP Adaptive Streaming with Advanced Transport, MSc thesis, 2018, Tables 2 and 4',
  steps: [0, ...SWITCHES_SECONDS].map((fromSeconds, index) => stepOf(other, fromSeconds, index)),
  repeat: false,
  queue: { kind: 'droptail', bdp: 1 },
});

function stepOf(other: 'LTE' | '3G', fromSeconds: number, index: number): ProfileStep {
  const untilSeconds = SWITCHES_SECONDS[index] ?? END_SECONDS;
  const step = accessStep(index % 2 === 0 ? 'WiFi' : other, (untilSeconds - fromSeconds) * 1000);
  return index === 0 ? step : { ...step, newAddress: true };
}
