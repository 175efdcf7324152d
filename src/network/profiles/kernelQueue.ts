import type { Queue } from '../profile.ts';

/**
 * A deep tail-drop queue of 1000 packets: tc-netem(8) holds as many by default, and mm-link of Mahimahi holds
 * whatever comes, which no link here can; at 256 kbit/s 1000 packets are 47 s, more than any sender keeps in flight.
 */
export const kernelQueue: Queue = { kind: 'droptail', packets: 1000 };
