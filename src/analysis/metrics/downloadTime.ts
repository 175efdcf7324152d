import { timingMean } from '../timingMean.ts';

/** What MPC, Pensieve and the simulator mean by a download. */
export const downloadTime = timingMean(
  {
    id: 'download-time',
    label: 'download time',
    meaning: 'mean time of an audio or video request from its start to its last byte',
    paper: '2020 letter §V-C; Mao et al., Pensieve, SIGCOMM 2017, §5.1 (download time of a chunk)',
  },
  ({ startMs, lastByteMs }) => lastByteMs - startMs,
);
