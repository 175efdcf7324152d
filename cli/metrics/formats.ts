import { measuredNumber, metricNumber } from '../../experiment/runner/metricCells.ts';
import { printable } from '../../node/print.ts';
import type { Measured, Metric } from '../../src/analysis/metrics/metric.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { p1203 } from '../../src/export/p1203.ts';
import { measuresOf } from '../../src/export/tables/sessions.ts';
import type { FormatOptions } from '../../src/export/sessionFormat.ts';
import { csvLine } from '../../src/shared/csv.ts';
import { runningMeans, sessionWindows } from '../../src/analysis/windows/sessionWindows.ts';
import { tcpClassOf } from '../../src/analysis/transport/protocol.ts';
import { markdownTable } from '../../node/textTable.ts';
import {
  DEFINITIONS_VERSION,
  definitionChanges,
  type DefinitionChange,
} from '../../src/analysis/metrics/definitionChanges.ts';
import { MIN_STALL_MS } from '../../src/shared/stalls.ts';

export const windowsCsvHead = csvLine([
  'file',
  'session',
  'window',
  'fromMs',
  'toMs',
  'tcpShare',
  'tcpClass',
  'qualityDropS',
  'stallS',
  'bitrateKbps',
  'runningBitrateKbps',
  'runningVariationKbps',
  'runningStallS',
]);

/** The windows of a session, a row each, with the running means up to them. */
export function windowsCsv(file: string, log: SessionLog): string {
  const windows = sessionWindows(log);
  const means = runningMeans(windows);
  return windows
    .map(({ fromMs, toMs, tcpShare, qualityDropS, stallS, bitrateKbps }, index) => {
      const mean = means[index]!;
      const tcp = [tcpShare, tcpShare === null ? null : tcpClassOf(tcpShare)];
      const running = [mean.bitrateKbps, mean.variationKbps, mean.stallS];
      return csvLine([
        file,
        log.id,
        index + 1,
        fromMs,
        toMs,
        ...tcp,
        qualityDropS,
        stallS,
        bitrateKbps,
        ...running,
      ]);
    })
    .join('');
}

/** The metrics of a session as one line of JSON: what an array or a JSON Lines file is made of. */
export function metricsJson(file: string, log: SessionLog, metrics: readonly Metric[]): string {
  const measured = metrics.map((metric) => [metric.id, { unit: metric.unit, ...metric.of(log) }] as const);
  const { id, design } = log;
  return JSON.stringify({ file, id, design, metrics: Object.fromEntries(measured) });
}

/** The metrics of a session, a line each: value, parts and note, or why there is none. */
export function formatMetrics(log: SessionLog, metrics: readonly Metric[]): string {
  const width = Math.max(...metrics.map(({ id }) => id.length));
  return metrics
    .map((metric) => {
      const measured = metric.of(log);
      return `${metric.id.padEnd(width)}  ${valueOf(metric, measured)}  ${detailsOf(metric, measured)}`.trimEnd();
    })
    .join('\n');
}

/** Numbers stand below each other, and their units too. */
function valueOf(metric: Metric, measured: Measured): string {
  const shown = measuredNumber(metric, measured);
  return `${shown.padStart(9)} ${(measured.value === null ? '' : metric.unit).padEnd(18)}`;
}

function detailsOf(metric: Metric, { why, note, by }: Measured): string {
  const parts = Object.entries(by ?? {}).map(([name, part]) => `${name} ${metricNumber(metric, part)}`);
  return [why, parts.join(', '), note].filter((each) => each !== undefined && each !== '').join(' · ');
}

/**
 * The session as P.1203 input, JSON, as `pitwall export` writes it; what was assumed goes to standard error.
 * @throws Error in one sentence where the session or an option does not do
 */
export function formatP1203(file: string, log: SessionLog, options: FormatOptions): string {
  const made = p1203.convert(log, options);
  if (!made.ok) throw new Error(made.error.startsWith('--') ? made.error : `${file}: ${made.error}`);
  for (const note of made.value.notes) process.stderr.write(printable(`${file}: ${note}\n`));
  return made.value.text;
}

export const metricsCsvHead = csvLine(
  'file session cell pair arm metric part value unit lowerBound why'.split(' '),
);

/**
 * A row for each metric, and one more for each of its parts. An unknown value is an empty cell, and `why` says why; `lowerBound` is
 * `true` where the true value may be greater.
 */
export function metricsCsv(file: string, log: SessionLog, metrics: readonly Metric[]): string {
  const { id, design } = log;
  const session = [file, id, design?.cell ?? null, design?.pair ?? null, design?.arm ?? null];
  return measuresOf(log, metrics)
    .map(({ metric, part, value, lowerBound, why }) =>
      csvLine([...session, metric.id, part, value, metric.unit, lowerBound, why]),
    )
    .join('');
}

const HEAD = ['metric', 'unit', 'better', 'definition', 'source', 'no value means'];

/** Writes the text of docs/metrics.md. */
export const formatDefinitions = (metrics: readonly Metric[]): string =>
  [
    INTRODUCTION,
    markdownTable([HEAD, ...metrics.map(rowOf)]),
    CHANGES,
    markdownTable([['metric', 'since', 'before'], ...definitionChanges.map(changeOf)]),
    CLOSING,
  ].join('\n\n');

const changeOf = ({ metrics, since, before }: DefinitionChange): string[] => [
  metrics.map((id) => `\`${id}\``).join(', '),
  since,
  before,
];

const rowOf = ({ id, unit, better, meaning, paper, unknown, headline }: Metric): string[] => [
  `\`${id}\`${headline === undefined ? '' : ' ★'}`,
  ...[unit, better ?? '', meaning, paper, unknown],
];

const INTRODUCTION = `# Metrics

A metric is one number that is computed from a finished session. This page defines every metric, with its unit and its source. Use the
ids in the first column with \`--metrics\` and as \`primary\` of a [campaign](campaigns.md). \`pitwall metrics --definitions\` prints this page.

    pitwall metrics LOG.json…              all metrics, with parts, notes, and the reason if one has no value
    pitwall metrics LOG.json… --csv        a row per session, metric and part, for pandas or DuckDB; --json: the same as JSON
    pitwall metrics LOG.json… --windows    the windows of 30 s with their running means, as CSV
    pitwall metrics FOLDER --fail-if "rebuffer-rate > 1"   a check for scripts: exits with 6 if a session meets the condition
    pitwall metrics LOG.json --p1203       the session as input for an implementation of ITU-T P.1203
    pitwall metrics LOG.json… --p1203-score  its score as well, if you have that implementation (prediction.md#p1203)
    pitwall predict FOLDER                 how well QoE can be predicted from throughput and latency (prediction.md)
    pitwall export FOLDER --format parquet a row per session with a column per metric, and more (export.md)
    pitwall compare --metrics all          all metrics in the tables of compare and campaigns; default: those with a ★

Times are session time. "Media" means audio and video segments. If a log does not contain what a metric needs, the metric has no value;
it is never 0 for this reason.`;

const CHANGES = `## Changed definitions

Metrics of a log are computed when they are asked for, so every log gives values of the table above. Numbers that were computed before a
change and kept are of the older definition: the files in \`campaigns/results\` without \`"definitions": ${DEFINITIONS_VERSION}\`, and the pages that are made from
them, which say so.`;

const CLOSING = `## Papers

- 2017: Langley et al., The QUIC Transport Protocol: Design and Internet-Scale Deployment, SIGCOMM.
- 2018 thesis: Arısu, HTTP Adaptive Streaming with Advanced Transport, Özyeğin University.
- 2019 study: Tong et al., Empirical study for Dynamic Adaptive Video Streaming Service based on Google Transport QUIC protocol.
- 2020 letter: Mondal and Chakraborty, Does QUIC Suit Well with Modern Adaptive Bitrate Streaming Techniques?
- 2024 racing paper: Chaudhary et al., Managing Connections by QUIC-TCP Racing, IEEE TNSM 21(3).

## What we chose where the papers leave it open

- Bitrates are those of the rendered level while the video played, not those of the downloaded segments.
- Latency and download time start at Resource Timing's \`startTime\`. They include the wait for a connection, because the viewer waits for it
  as well.
- Throughputs divide all bits by the time in which anything was downloaded. In a mean of rates, segments that are read at once from a full
  socket would dominate. In a sum of durations, a second in which audio and video download at once would count twice, and the throughput
  would be below the bitrate that was played. Requests that failed or were aborted count neither with their bits nor with their time.
- Segments of QoE and bitrate variation are counted in watched media: as far as the playhead moved while the video played, and in units
  of the segment that lies there, as its request says it. Segments of different lengths, periods with lengths of their own and other
  playback rates than 1 are counted as they were played. Where no request says the length, that of the ladder counts; where the playhead
  was not read, or was moved in between, time × playback rate. Mean and median bitrate and mean level are means of the viewer’s time.
- A wait whose end the log does not have is a lower bound, not a missing value: seeks that were replaced, paused or not finished, stalls
  in which a log was cut off, sessions that never showed a frame. Tables show such a value as “≥ 10.6”, JSON has \`"lowerBound": true\`, CSV and
  exports have a column \`lowerBound\`. \`--fail-if\` cannot check a limit above it. A comparison has no difference where the true value could
  turn its direction.
- QoE leaves out the first segment, as every published score does: no rule chose it, and its wait is the join time. The key figure on the
  page is the same metric of the session so far. It is unknown until a second segment plays.
- With SegmentBase, the manifest does not contain the segment duration. It is taken from the stream's index, when the first segment is
  requested.
- Windows of 30 s start at the first request to play. Only whole windows count. A running mean has a window as its sample.
- A quality drop lasts until the next change of level. The ladder of a session is the list of all bitrates that were available, ascending.
- The change from TCP to h3 that ends discovery is not a protocol switch. Requests before it are counted separately.
- A change of the client’s address begins when the client loses its address, also where another one comes only after a gap.
- Waits after seeks are not stalls.
- A wait for media counts as a stall from ${MIN_STALL_MS} ms on: in \`rebuffer-count\`, in the lists of diagnostics, in the marks of charts and in
  the stalling events of P.1203. The papers have no least length; the value is ours ([methodology.md](methodology.md#the-least-length-of-a-stall) has
  the reason). Rebuffer time and rate, S per window and the rebuffering of QoE are sums of seconds, and every wait is part of them, however
  short.
- P.1203: times are those of the watched media, whatever the playback rate; bitrates are the declared ones. Audio in a codec that P.1203 does not support is left out,
  with a message on standard error. The public implementation is free for research only and is therefore not part of Pitwall;
  [prediction.md](prediction.md#p1203) says how to use it.
- Protocol overhead counts the bodies of all requests as payload, and handshakes and retransmitted packets as overhead. A browser cannot
  report it: its \`transferSize\` is the body plus 300.
`;
