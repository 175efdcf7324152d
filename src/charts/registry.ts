import type { Chart } from './chart.ts';
import { bitrate } from './lanes/bitrate.ts';
import { buffer } from './lanes/buffer.ts';
import { decisions } from './lanes/decisions.ts';
import { viewerAndNetwork } from './lanes/viewerAndNetwork.ts';
import { latency } from './lanes/latency.ts';
import { pathways } from './lanes/pathways.ts';
import { racing } from './lanes/racing.ts';
import { requests } from './lanes/requests.ts';
import { transport } from './lanes/transport.ts';

/** The lanes of the chart panel, from top to bottom: first what the viewer got, then how it came, then who chose it. */
export const CHARTS: readonly Chart[] = [
  bitrate,
  buffer,
  viewerAndNetwork,
  racing,
  pathways,
  transport,
  requests,
  latency,
  decisions,
];
