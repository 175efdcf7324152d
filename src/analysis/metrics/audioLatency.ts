import { timingMean } from '../timingMean.ts';

/** The letter's key finding: over QUIC audio waits behind video. */
export const audioLatency = timingMean(
  {
    id: 'response-latency-audio',
    label: 'audio response latency',
    meaning: 'mean time of an audio request from its start to its first byte',
    paper: '2020 letter §V-B, Fig. 9b',
  },
  ({ startMs, firstByteMs }) => firstByteMs - startMs,
  'audio',
);
