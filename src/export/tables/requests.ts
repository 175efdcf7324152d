import { eventsOf } from '../../analysis/timeline/log.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { formatReasons, type CellType, field, tableOf, type SourceColumn } from '../table.ts';

const column = (
  name: keyof RequestEvent & string,
  type: CellType,
  meaning: string,
): SourceColumn<RequestEvent> => field(name, type, meaning);

/** Fields as in docs/session-log.md; `startMs` to `lastByteMs` are Resource Timing Level 2 on the session's clock. */
export const requests = tableOf<RequestEvent>({
  id: 'requests',
  label: 'requests',
  about: 'a row per HTTP request of the player, including retries, aborts and failures',
  sources: (log) => eventsOf(log, 'request'),
  columns: [
    column('id', 'text', 'id of the request in its session'),
    column('atMs', 'number', 'when the player sent the request'),
    column('type', 'text', 'manifest, init, index, media, steering, xlink, license or other'),
    column('mediaType', 'text', 'video, audio or text'),
    column('url', 'text', 'address as requested, with query values replaced'),
    column('finalUrl', 'text', 'address after redirects'),
    column('method', 'text', 'HTTP method'),
    column('range', 'text', 'requested bytes, first-last'),
    column('attempt', 'integer', '0 for the first try'),
    column('outcome', 'text', 'ok, http-error, network-error, timeout, aborted or in-flight'),
    column('status', 'integer', 'HTTP status'),
    column('segment', 'integer', 'number of the segment'),
    column('mediaStartMs', 'number', 'position in the presentation'),
    column('mediaDurationMs', 'number', 'duration of the segment'),
    column('periodId', 'text', 'id of the period in the manifest'),
    column('representationId', 'text', 'id of the representation in the manifest'),
    column('rung', 'integer', 'level of the ladder as an index; 0 is the lowest'),
    column('bitrateKbps', 'number', 'declared bitrate of the level'),
    column('serviceLocation', 'text', 'BaseURL that was used'),
    column('protocol', 'text', 'ALPN id of the protocol that carried the response'),
    column('connectionReused', 'boolean', 'whether the request used an existing connection'),
    column('startMs', 'number', 'startTime'),
    column('redirectStartMs', 'number', 'redirectStart'),
    column('redirectEndMs', 'number', 'redirectEnd'),
    column('fetchStartMs', 'number', 'fetchStart'),
    column('domainLookupStartMs', 'number', 'domainLookupStart'),
    column('domainLookupEndMs', 'number', 'domainLookupEnd'),
    column('connectStartMs', 'number', 'connectStart'),
    column('secureConnectionStartMs', 'number', 'secureConnectionStart'),
    column('connectEndMs', 'number', 'connectEnd'),
    column('requestStartMs', 'number', 'requestStart'),
    column('firstByteMs', 'number', 'responseStart'),
    column('lastByteMs', 'number', 'responseEnd'),
    column('endMs', 'number', 'when the player received the end'),
    column('receivedBytes', 'integer', 'bytes of the body that reached the player'),
    column('transferSizeBytes', 'integer', 'transferSize as the browser reports it'),
    column('encodedBodyBytes', 'integer', 'body before content decoding'),
    column('decodedBodyBytes', 'integer', 'body after content decoding'),
    column('serverTiming', 'text', 'Server-Timing as JSON'),
    column('cmsdStatic', 'text', 'CMSD-Static (CTA-5006), verbatim'),
    column('cmsdDynamic', 'text', 'CMSD-Dynamic (CTA-5006), verbatim'),
    {
      ...{ name: 'missing', type: 'text', unit: '', meaning: 'why fields are unknown: field=reason …' },
      of: ({ missing }) => formatReasons(missing),
    },
  ],
});
