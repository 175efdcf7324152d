import { OK, VIDEO } from '../../analysis/timeline/columns.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { sizesAt } from '../../analysis/timeline/moment.ts';
import { rowAfter, valueAt } from '../../analysis/timeline/table.ts';
import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type { DecisionEvent, MissingReason, RequestEvent } from '../../telemetry/event.ts';
import { transportView } from '../../telemetry/transportView.ts';
import { kbpsOf, secondsFromMs } from '../../shared/units.ts';
import { formatCount, formatMbps, formatSize } from '../../shared/format.ts';

export type Fact = readonly [label: string, value: string];

/**
 * What the rule saw, and what became of its choice: `request` is the one it led to, null while that is unknown.
 * An input that is not known says why.
 */
export function decisionFacts(
  decision: DecisionEvent,
  request: RequestEvent | null,
  series: SessionSeries,
): readonly Fact[] {
  const { moment } = decision;
  const buffer = `${secondsFromMs(moment.bufferMs).toFixed(1)} of ${secondsFromMs(moment.bufferTargetMs).toFixed(0)} s`;
  return [
    ['Buffer', buffer],
    ['Last level', moment.lastRung === null ? 'none yet' : String(moment.lastRung + 1)],
    ['Estimate', formatMbps(decision.estimateKbps, formatReason(decision.missing['estimateKbps']))],
    ['Measured', formatMbps(lastMeasuredKbps(series, decision.atMs), 'nothing yet')],
    ['Latency', formatLatency(request)],
    ['Protocol', carriedBy(request)],
    ...pathwayFacts(request, series),
    ['Segments left', moment.segmentsLeft === null ? 'unknown' : formatCount(moment.segmentsLeft, 'segment')],
    ['Decided in', `${decision.tookMs.toFixed(1)} ms`],
    ...ofOurs(decision, series),
  ];
}

/** What only rules of ours can know or wish: sizes of segments, and a request that waits. */
function ofOurs(
  { inputId, mediaType, atMs, holdUntilBufferMs }: DecisionEvent,
  series: SessionSeries,
): readonly Fact[] {
  if (inputId === undefined) return [];
  const from = sizesAt(series, mediaType, atMs);
  const hold = holdUntilBufferMs === null ? 'none' : `to ${secondsFromMs(holdUntilBufferMs).toFixed(1)} s`;
  return [
    ['Segment sizes', from === null ? 'assumed' : SIZE_SOURCES[from]],
    ['Hold', hold],
  ];
}

const SIZE_SOURCES = {
  sidx: 'stream’s index',
  playlist: 'HLS playlist',
  'side-file': 'sizes file',
  head: 'HEAD requests',
  table: 'video’s table',
} as const;

/** Over which pathway a segment came, in sessions that choose one; a rescued one came over two. */
function pathwayFacts(request: RequestEvent | null, { steering }: SessionSeries): readonly Fact[] {
  if (steering.length === 0) return [];
  if (!request) return [['Pathway', 'not known yet']];
  const rest = steering.find(({ rescuedId }) => rescuedId === request.id)?.pathway;
  const first = request.pathway ?? 'unknown';
  return [['Pathway', rest === undefined ? first : `${first}, rest over ${rest}`]];
}

function formatLatency(request: RequestEvent | null): string {
  if (!request) return 'not known yet';
  const { startMs, firstByteMs } = request;
  if (startMs === null || firstByteMs === null) return reasonOf(request, 'firstByteMs', 'startMs');
  return `${Math.round(firstByteMs - startMs)} ms`;
}

function carriedBy(request: RequestEvent | null): string {
  if (!request) return 'not known yet';
  if (request.protocol === null) return reasonOf(request, 'protocol');
  const connection = { true: ', reused', false: ', new', null: '' }[
    String(request.connectionReused) as 'null'
  ];
  return `${request.protocol}${connection}`;
}

function reasonOf(request: RequestEvent, ...fields: readonly string[]): string {
  const reason: MissingReason | undefined = fields.map((field) => request.missing[field]).find(Boolean);
  return formatReason(reason);
}

/** Rate of the last video segment that had arrived by then, over its transfer time (first to last byte). */
function lastMeasuredKbps({ requests }: SessionSeries, atMs: number): number | null {
  const { lane, outcome, endMs, firstByteMs, carriedBytes: carried } = requests.columns;
  for (let row = rowAfter(requests, atMs) - 1; row >= 0; row -= 1) {
    if (lane[row] !== VIDEO || outcome[row] !== OK || !(endMs[row]! <= atMs)) continue;
    const first = valueAt(firstByteMs, row);
    const size = valueAt(carried, row);
    if (size !== null) return first === null ? null : kbpsOf(size, endMs[row]! - first);
  }
  return null;
}

/** Facts of a request, each with its unit or with the reason why it is not known. */
export function requestFacts(request: RequestEvent): readonly Fact[] {
  const { startMs, redirectStartMs, redirectEndMs, firstByteMs, lastByteMs, receivedBytes, missing } =
    request;
  const why = (...fields: string[]): string =>
    formatReason(fields.map((field) => missing[field]).find((reason) => reason !== undefined));
  const span = (from: number | null, to: number | null, ...fields: string[]): string =>
    from === null || to === null ? why(...fields) : `${Math.round(to - from)} ms`;
  const sizeBytes = carriedBytes(request);
  const rateKbps =
    sizeBytes === null || firstByteMs === null || lastByteMs === null
      ? null
      : kbpsOf(sizeBytes, lastByteMs - firstByteMs);
  return [
    ['Protocol', request.protocol ?? why('protocol')],
    ['Connection', formatConnection(request.connectionReused, why('connectionReused'))],
    ...(redirectStartMs === null ? [] : [['Redirect', span(redirectStartMs, redirectEndMs)] as const]),
    ...connectingFacts(request, span),
    ['Latency', span(startMs, firstByteMs, 'firstByteMs', 'startMs')],
    ['Transfer', span(firstByteMs, lastByteMs, 'lastByteMs', 'firstByteMs')],
    ['Received', receivedBytes === null ? why('receivedBytes') : formatSize(receivedBytes)],
    ['Rate', formatMbps(rateKbps, why('lastByteMs', 'firstByteMs', 'receivedBytes', 'protocol'))],
    ['Range', request.range ?? 'whole file'],
    ...(request.pathway === undefined ? [] : [['Pathway', request.pathway] as const]),
    ...serverFacts(request),
  ];
}

type Span = (from: number | null, to: number | null, ...fields: string[]) => string;

/** The phases before the request; a connection that was there already has none of them (Resource Timing §3.1). */
function connectingFacts(request: RequestEvent, span: Span): readonly Fact[] {
  const { connectionReused, connectStartMs, connectEndMs, secureConnectionStartMs } = request;
  const { domainLookupStartMs, domainLookupEndMs } = request;
  const connecting = span(connectStartMs, connectEndMs, 'connectEndMs', 'connectStartMs');
  if (connectionReused !== false || connectStartMs === null) return [['Connecting', connecting]];
  const tls = secureConnectionStartMs === null ? '' : `, TLS ${span(secureConnectionStartMs, connectEndMs)}`;
  return [
    ['Name lookup', span(domainLookupStartMs, domainLookupEndMs, 'domainLookupEndMs')],
    ['Connecting', `${connecting}${tls}`],
  ];
}

/** What the server said of the connection, as far as it did. */
function serverFacts(request: RequestEvent): readonly Fact[] {
  const { rttMs = null, cwndBytes = null, cwndPackets = null } = transportView(request) ?? {};
  const window = cwndBytes === null ? cwndPackets && `${cwndPackets} packets` : formatSize(cwndBytes);
  return [
    ...(rttMs === null ? [] : [['Round trip (server)', `${rttMs.toFixed(1)} ms`] as const]),
    ...(window === null ? [] : [['Congestion window', String(window)] as const]),
  ];
}

function formatConnection(reused: boolean | null, why: string): string {
  if (reused === null) return why;
  return reused ? 'reused' : 'new';
}

const ENDINGS: Readonly<Record<NonNullable<RequestEvent['outcome']>, string>> = {
  ok: 'arrived',
  'http-error': 'was answered with an error',
  'network-error': 'broke off',
  timeout: 'was aborted by the player’s time-out',
  aborted: 'was cancelled by the player',
  'in-flight': 'is in flight',
};

/** How a request ended, in one sentence. */
export function formatOutcome(request: RequestEvent): string {
  const { outcome, status, attempt, segment, rung } = request;
  const what = [
    request.mediaType ?? '',
    request.type === 'media' ? 'segment' : request.type,
    segment === null ? '' : String(segment + 1),
    rung === null ? '' : `(level ${rung + 1})`,
  ].filter((part) => part !== '');
  const words = what.join(' ');
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  const code = outcome === 'http-error' && status !== null ? ` ${status}` : '';
  const ending = outcome === null ? 'failed or was cancelled' : ENDINGS[outcome];
  return `${name} ${ending}${code}${attempt ? `, attempt ${attempt + 1}` : ''}.`;
}

/** What the end of a value's name says of its number: the unit, or what it counts. */
const UNITS: readonly (readonly [suffix: string, say: (value: number) => string])[] = [
  ['Kbps', (kbps) => formatMbps(kbps)],
  ['Ms', (ms) => (Math.abs(ms) < 1000 ? `${plain(ms)} ms` : `${secondsFromMs(ms).toFixed(1)} s`)],
  ['Bytes', formatSize],
  ['Rung', (rung) => (Number.isInteger(rung) ? `level ${rung + 1}` : plain(rung))],
  ['Share', (share) => `${plain(share * 100)} %`],
];

/** Where no number does not mean that there is nothing. */
const UNKNOWN: Readonly<Record<string, string>> = { outsideInputs: 'unknown: not in the weights' };

/** How the probability of a rung is called, before its number from 0. They stand in the ladder. */
export const ODDS = 'probability';
const IN_LADDER = new RegExp(`^${ODDS}\\d`);

/** The numbers behind a choice, as people read them: `estimateKbps: 2310` is "Estimate 2.31 Mbit/s". */
export function valueFacts(values: Readonly<Record<string, number | null>>): readonly Fact[] {
  return Object.entries(values)
    .filter(([name]) => !IN_LADDER.test(name))
    .map(([name, value]) => {
      const [suffix, say] = UNITS.find(([suffix]) => name.endsWith(suffix) && name !== suffix) ?? ['', plain];
      return [
        labelOf(name.slice(0, name.length - suffix.length), suffix),
        value === null ? (UNKNOWN[name] ?? 'none') : say(value),
      ];
    });
}

/** "cushionEnd" is "Cushion end"; a rung and a share stay in the label, because their numbers do not say it. */
function labelOf(name: string, suffix: string): string {
  const words = `${name}${suffix === 'Share' ? 'Share' : ''}`
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bqoe\b/, 'QoE')
    // The name in BOLA-E's paper says nothing to a reader who does not know it.
    .replace(/\bplaceholder\b/, 'virtual buffer');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Three digits that count, without an exponent. */
function plain(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.001) return value > 0 ? '< 0.001' : '> −0.001';
  const digits = Math.abs(value) < 1000 ? Number(value.toPrecision(3)) : Math.round(value);
  return String(digits).replace('-', '−');
}

const REASONS: Readonly<Record<MissingReason, string>> = {
  'no-tao': 'unknown, no Timing-Allow-Origin',
  'no-entry': 'unknown, no timing entry',
  'range-ambiguous': 'unknown, ranges look alike',
  'range-cache': 'unknown, through the cache',
  cached: 'from the cache',
  revalidated: 'unknown, cache asked (304)',
  'service-worker': 'unknown, service worker',
  'not-supported': 'unknown, unsupported',
  'not-exposed': 'unknown, hidden by CORS',
  'not-sent': 'not sent',
  'not-applicable': 'none',
  failed: 'failed before',
  aborted: 'aborted before',
  'in-flight': 'in flight',
  'too-early': 'not known yet',
  'not-reported': 'unknown, no source',
  'out-of-range': 'unknown, out of range',
};

/** Why a value is not there, short enough to stand in its place. */
const formatReason = (reason: MissingReason | undefined): string =>
  reason === undefined ? 'unknown' : REASONS[reason];
