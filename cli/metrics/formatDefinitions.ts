import { markdownTable } from '../markdownTable.ts';
import type { Metric } from '../../src/analysis/metric.ts';

const HEAD = ['metric', 'unit', 'better', 'definition', 'source', 'no value means'];

/** The text of docs/metrics.md. */
export const formatDefinitions = (metrics: readonly Metric[]): string =>
  [INTRODUCTION, markdownTable([HEAD, ...metrics.map(rowOf)]), CLOSING].join('\n\n');

const rowOf = ({ id, unit, better, meaning, paper, unknown, headline }: Metric): string[] => [
  `\`${id}\`${headline === undefined ? '' : ' ★'}`,
  ...[unit, better ?? '', meaning, paper, unknown],
];

const INTRODUCTION = `# Metrics

The numbers that a finished session is judged by. This file is what \`pitwall metrics --definitions\` prints.

    pitwall metrics LOG.json…              all of them, with parts, notes, and why one has no value
    pitwall metrics LOG.json… --csv        a row per session, metric and part, for pandas or DuckDB; --json: the same as JSON
    pitwall metrics LOG.json… --windows    the windows of 30 s with their running means, as CSV
    pitwall metrics LOG.json --p1203       the session as input for an implementation of ITU-T P.1203
    pitwall export FOLDER --format parquet a row per session with a column per metric, and more (export.md)
    pitwall compare --metrics all          in the tables of compare and campaigns; else those with a ★

Times are session time. "Media" is audio and video segments. A value that the log does not tell is no value, never 0.`;

const CLOSING = `## Papers

- 2017: Langley et al., The QUIC Transport Protocol: Design and Internet-Scale Deployment, SIGCOMM.
- 2018 thesis: Arısu, HTTP Adaptive Streaming with Advanced Transport, Özyeğin University.
- 2019 study: Tong et al., Empirical study for Dynamic Adaptive Video Streaming Service based on Google Transport QUIC protocol.
- 2020 letter: Mondal and Chakraborty, Does QUIC Suit Well with Modern Adaptive Bitrate Streaming Techniques?
- 2024 racing paper: Chaudhary et al., Managing Connections by QUIC-TCP Racing, IEEE TNSM 21(3).

## Choices where the papers leave one

- Bitrates are those of the rendered rung while the picture moved, not of what was downloaded.
- Latency and download time begin with Resource Timing's \`startTime\`: waiting for a connection counts, as it does for the viewer.
- Throughputs divide sums by sums. A mean of rates would belong to the segments that came out of a full socket at once.
- QoE leaves out the first segment, as every published score: it is nobody's choice, and its wait is the join time. The key
  figure on the page is the same metric of the session so far; it is unknown until a second segment plays.
- With SegmentBase the manifest gives no segment duration. The first segment that is asked for gives it, from the stream's index.
- Windows of 30 s begin when play is first asked for, and only whole ones count. A running mean has a window as its sample.
- A quality drop lasts until the next change of rung. The ladder of a session is all bitrates it was offered, ascending.
- A switch from TCP to h3 that ends discovery is no protocol switch, and requests before it are counted apart.
- Waits after seeks are no stalls.
- P.1203: times are those of watched media, bitrates the declared ones; audio in a codec that P.1203 does not know is left out,
  and said so on standard error. The public implementation is free for research only, which is why it is not part of Pitwall.
- Protocol overhead counts the bodies of all requests as payload, and handshakes and resent packets as overhead. A browser does not
  know it: its \`transferSize\` is the body plus 300.
`;
