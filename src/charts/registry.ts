import type { Chart } from './chart.ts';
import * as specs from './specs/index.ts';

/** The lanes of the chart panel, from top to bottom: first what the viewer got, then how it came, then who chose it. */
export const CHARTS: readonly Chart[] = [
  specs.bitrate,
  specs.buffer,
  specs.racing,
  specs.transport,
  specs.requests,
  specs.latency,
  specs.decisions,
];
