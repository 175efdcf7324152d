import type { RequestEvent } from '../../telemetry/event.ts';
import { transportView } from '../../telemetry/transportView.ts';
import { kbpsOf } from '../../shared/units.ts';
import { element } from '../element.ts';
import type { Fact } from './decisionFacts.ts';
import { factList } from './factList.ts';
import { formatReason } from './formatReason.ts';
import { formatMbps, formatSize } from '../../shared/format.ts';

/** One request: how it ended, how long each phase took, and for what is not known, why. */
export function requestView(request: RequestEvent): readonly HTMLElement[] {
  return [
    element('p', { class: 'because' }, formatOutcome(request)),
    factList(requestFacts(request)),
    element('p', { class: 'empty-note' }, element('code', {}, request.url)),
  ];
}

const ENDINGS: Readonly<Record<RequestEvent['outcome'], string>> = {
  ok: 'arrived',
  'http-error': 'was answered with an error',
  'network-error': 'broke off',
  timeout: 'was aborted by the player’s time-out',
  aborted: 'was cancelled by the player',
  'in-flight': 'is in flight',
};

function formatOutcome(request: RequestEvent): string {
  const { outcome, status, attempt, segment, rung } = request;
  const what = [
    request.mediaType ?? '',
    request.type === 'media' ? 'segment' : request.type,
    segment === null ? '' : String(segment + 1),
    rung === null ? '' : `(rung ${rung + 1})`,
  ].filter((part) => part !== '');
  const words = what.join(' ');
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  const code = outcome === 'http-error' && status !== null ? ` ${status}` : '';
  return `${name} ${ENDINGS[outcome]}${code}${attempt > 0 ? `, attempt ${attempt + 1}` : ''}.`;
}

/** Facts of a request, each with its unit or with the reason why it is not known. */
export function requestFacts(request: RequestEvent): readonly Fact[] {
  const { startMs, firstByteMs, lastByteMs, receivedBytes, connectStartMs, connectEndMs, missing } = request;
  const why = (...fields: string[]): string =>
    formatReason(fields.map((field) => missing[field]).find((reason) => reason !== undefined));
  const span = (from: number | null, to: number | null, ...fields: string[]): string =>
    from === null || to === null ? why(...fields) : `${Math.round(to - from)} ms`;
  const rateKbps =
    receivedBytes === null || firstByteMs === null || lastByteMs === null
      ? null
      : kbpsOf(receivedBytes, lastByteMs - firstByteMs);
  return [
    ['Protocol', request.protocol ?? why('protocol')],
    ['Connection', formatConnection(request.connectionReused, why('connectionReused'))],
    ['Connecting', span(connectStartMs, connectEndMs, 'connectEndMs', 'connectStartMs')],
    ['Latency', span(startMs, firstByteMs, 'firstByteMs', 'startMs')],
    ['Transfer', span(firstByteMs, lastByteMs, 'lastByteMs', 'firstByteMs')],
    ['Received', receivedBytes === null ? why('receivedBytes') : formatSize(receivedBytes)],
    ['Rate', formatMbps(rateKbps, why('lastByteMs', 'firstByteMs', 'receivedBytes'))],
    ['Range', request.range ?? 'whole file'],
    ...serverFacts(request),
  ];
}

/** What the server said of the connection, as far as it did. */
function serverFacts(request: RequestEvent): readonly Fact[] {
  const { rttMs = null, cwndBytes = null, cwndPackets = null } = transportView(request) ?? {};
  const window = cwndBytes === null ? cwndPackets && `${cwndPackets} packets` : formatSize(cwndBytes);
  return [
    ...(rttMs === null ? [] : [['Server’s RTT', `${rttMs.toFixed(1)} ms`] as const]),
    ...(window === null ? [] : [['Its window', String(window)] as const]),
  ];
}

function formatConnection(reused: boolean | null, why: string): string {
  if (reused === null) return why;
  return reused ? 'reused' : 'new';
}
