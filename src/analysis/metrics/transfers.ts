import { kbpsOf } from '../../shared/units.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { meanOf } from '../statistics/summaries.ts';
import type { Span } from '../timeline/spans.ts';
import {
  receivedBytesAt,
  transferOf,
  transferredObjects,
  type TransferredObject,
} from '../transport/transfers.ts';
import { type Metric, unmeasured } from './metric.ts';

const NO_TRANSFER = 'The session plays a stream; only sessions of pitwall transfer download objects.';

/**
 * A metric of a session's objects. An object that did not arrive whole has no time, and a mean without the slowest object would
 * flatter: one of them is enough for no value.
 */
function transferMetric(
  naming: Pick<Metric, 'id' | 'label' | 'meaning' | 'unit' | 'better' | 'paper' | 'decimals'>,
  valueOf: (objects: readonly TransferredObject[]) => number | null,
): Metric {
  return {
    ...naming,
    isPositive: true,
    sessions: 'transfers',
    unknown:
      'the session plays a stream, an object did not arrive whole, its times are unknown, or no time passed',
    of(log) {
      const objects = wholeObjects(log);
      if (typeof objects === 'string') return unmeasured(objects);
      const value = valueOf(objects);
      return value === null
        ? unmeasured('No time passed between first and last byte.')
        : { value, by: partsBySize(objects, valueOf) };
    },
  };
}

/** All objects of a session, or a sentence on why there are not all of them. */
function wholeObjects(log: SessionLog): readonly TransferredObject[] | string {
  const transfer = transferOf(log);
  if (transfer === null) return NO_TRANSFER;
  const objects = transferredObjects(log);
  const planned = transfer.count * transfer.streams;
  return objects.length === planned
    ? objects
    : `${planned - objects.length} of ${planned} objects did not arrive whole, or their times are unknown.`;
}

/** The value of the objects of each size, where there are several sizes. */
function partsBySize(
  objects: readonly TransferredObject[],
  valueOf: (objects: readonly TransferredObject[]) => number | null,
): Record<string, number> {
  const sizes = [...new Set(objects.map(({ sizeBytes }) => sizeBytes))].sort((one, other) => one - other);
  if (sizes.length < 2) return {};
  return Object.fromEntries(
    sizes.flatMap((size) => {
      const value = valueOf(objects.filter(({ sizeBytes }) => sizeBytes === size));
      return value === null ? [] : [[`${size / 1e6} MB`, value]];
    }),
  );
}

/** What a viewer waits for: request → last byte of all ranges. */
const transferTime = transferMetric(
  {
    id: 'transfer-time',
    label: 'transfer time',
    meaning:
      'mean time of an object from the start of its first request to its last byte; of an object in several ranges, to the last byte of all of them',
    unit: 'ms',
    better: 'lower',
    paper: '2020 letter §V-A1 (objects of 2 to 50 MB); 2018 thesis §3.2.1 (a segment in ranges)',
  },
  (objects) => meanOf(objects.map(({ startMs, lastByteMs }) => lastByteMs - startMs)),
);

const transferFirstByte = transferMetric(
  {
    id: 'first-byte-time',
    label: 'first byte time',
    meaning: 'mean time of an object from the start of its first request to its first byte',
    unit: 'ms',
    better: 'lower',
    paper: '2020 letter §V-A1 (response latency, Figs. 6b and 8)',
  },
  (objects) => meanOf(objects.map(({ startMs, firstByteMs }) => firstByteMs - startMs)),
);

const transferRate = transferMetric(
  {
    id: 'transfer-rate',
    label: 'transfer rate',
    meaning:
      'bits of the objects divided by the sum of their times from first to last byte; objects that are downloaded at the same time count one by one',
    unit: 'kbit/s',
    better: 'higher',
    paper: '2020 letter §V-A1 (throughput: size divided by the time from first to last byte, Figs. 6a and 8)',
  },
  (objects) =>
    kbpsOf(
      objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      objects.reduce((sumMs, { firstByteMs, lastByteMs }) => sumMs + lastByteMs - firstByteMs, 0),
    ),
);

/** How two streams share what the network gives. */
const rateShare: Metric = {
  id: 'rate-share',
  label: 'rate share of the slower stream',
  meaning:
    'bytes that the slower of two streams received while both were between first and last byte of an object, as a share of the bytes of both; 50: equal; bytes between two samples of a download count as evenly spread',
  unit: '%',
  better: 'higher',
  isPositive: true,
  sessions: 'transfers',
  paper: '2020 letter §V-B (two parallel streams, Fig. 8); the share is ours',
  unknown: 'the session does not download two streams at the same time, or an object did not arrive whole',
  of(log) {
    const objects = wholeObjects(log);
    if (typeof objects === 'string') return unmeasured(objects);
    const bytes = bytesWhileBoth(objects);
    const sum = bytes.reduce((total, each) => total + each, 0);
    if (bytes.length !== 2 || sum === 0) return unmeasured('No two streams downloaded at the same time.');
    const shares = bytes.map((each) => (100 * each) / sum);
    return {
      value: Math.min(...shares),
      by: Object.fromEntries(shares.map((share, stream) => [`stream ${stream + 1}`, share])),
    };
  },
};

/** What each stream received while all of them downloaded; by stream. */
function bytesWhileBoth(objects: readonly TransferredObject[]): number[] {
  const streams = [...new Set(objects.map(({ stream }) => stream))];
  if (streams.length !== 2) return [];
  const [one, other] = streams.map((stream) => objects.filter((each) => each.stream === stream)) as [
    TransferredObject[],
    TransferredObject[],
  ];
  const spans = one.flatMap((first) => other.flatMap((second) => overlapOf(first, second)));
  return [one, other].map((own) =>
    spans.reduce((sum, { fromMs, toMs }) => sum + receivedIn(own, toMs) - receivedIn(own, fromMs), 0),
  );
}

function overlapOf(one: TransferredObject, other: TransferredObject): Span[] {
  const fromMs = Math.max(one.firstByteMs, other.firstByteMs);
  const toMs = Math.min(one.lastByteMs, other.lastByteMs);
  return fromMs < toMs ? [{ fromMs, toMs }] : [];
}

const receivedIn = (objects: readonly TransferredObject[], ms: number): number =>
  objects.flatMap(({ requests }) => requests).reduce((sum, request) => sum + receivedBytesAt(request, ms), 0);

/** Metrics of sessions that download objects and play nothing. */
export const transferMetrics: readonly Metric[] = [transferTime, transferFirstByte, transferRate, rateShare];
