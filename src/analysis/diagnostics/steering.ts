import { formatCount, formatMbps, formatNumber } from '../../shared/format.ts';
import { kbpsOf } from '../../shared/units.ts';
import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { protocolOf } from '../transport/protocol.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { cut, lasting } from './format.ts';
import { kept } from './kept.ts';

type Carrier = 'UDP' | 'TCP';

interface Transfer {
  readonly carrier: Carrier;
  readonly pathway: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly kbps: number;
  /** Whether it is among those that are compared. */
  isCompared: boolean;
}

/** A small answer is latency rather than rate, and a policer lets it pass, unless it ran for long. */
const MIN_BYTES = 24_000;
const MIN_MS = 1000;
const MIN_TRANSFERS = 2;
const MIN_RATIO = 2;
const MAX_RECENT = 32;
const MAX_COMPARED = 100;

/**
 * UDP that carries much less than TCP, as segments and probes of one session show it. Only transfers that ran beside one of
 * the other kind over another pathway count: what the network did before and after says nothing about both.
 */
export const slowerUdp: Diagnostic = {
  id: 'slower-udp',
  label: 'UDP slower than TCP',
  watch() {
    const carriers = new Map<string, Carrier>();
    const recent: Transfer[] = [];
    const compared: Record<Carrier, Transfer[]> = { UDP: [], TCP: [] };
    const compare = (transfer: Transfer): void => {
      if (transfer.isCompared) return;
      transfer.isCompared = true;
      const all = compared[transfer.carrier];
      all.push(transfer);
      if (all.length > MAX_COMPARED) all.shift();
    };
    return {
      see(event) {
        if (event.kind !== 'request' || event.pathway === undefined) return;
        const transfer = transferOf(event, carriers);
        if (!transfer) return;
        for (const other of recent)
          if (areBeside(transfer, other)) for (const each of [other, transfer]) compare(each);
        recent.push(transfer);
        if (recent.length > MAX_RECENT) recent.shift();
      },
      findings: () => ratioFound(compared),
    };
  },
};

/** A request that shows a rate; null for others. An aborted one has no protocol: that of its pathway so far is taken. */
function transferOf(request: RequestEvent, carriers: Map<string, Carrier>): Transfer | null {
  const { pathway = '' } = request;
  const carrier = carrierOf(request.protocol) ?? carriers.get(pathway);
  if (carrier === undefined) return null;
  carriers.set(pathway, carrier);
  return isMeasurement(request) ? ratedTransfer(request, { carrier, pathway }) : null;
}

function ratedTransfer(request: RequestEvent, over: Pick<Transfer, 'carrier' | 'pathway'>): Transfer | null {
  const { startMs, atMs, lastByteMs, endMs } = request;
  const fromMs = startMs ?? atMs;
  const toMs = lastByteMs ?? endMs ?? fromMs;
  const bytes = carriedBytes(request) ?? 0;
  const kbps = kbpsOf(bytes, toMs - fromMs);
  const isLarge = bytes >= MIN_BYTES || toMs - fromMs >= MIN_MS;
  return kbps !== null && isLarge ? { ...over, fromMs, toMs, kbps, isCompared: false } : null;
}

const isMeasurement = ({ type, outcome }: RequestEvent): boolean =>
  (type === 'media' || type === 'probe') && (outcome === 'ok' || outcome === 'aborted');

function carrierOf(alpn: string | null): Carrier | undefined {
  const protocol = protocolOf(alpn);
  if (protocol === 'unknown') return undefined;
  return protocol === 'h3' ? 'UDP' : 'TCP';
}

const areBeside = (one: Transfer, other: Transfer): boolean =>
  one.carrier !== other.carrier &&
  one.pathway !== other.pathway &&
  one.fromMs < other.toMs &&
  other.fromMs < one.toMs;

function ratioFound({ UDP, TCP }: Readonly<Record<Carrier, readonly Transfer[]>>): Finding[] {
  if (UDP.length < MIN_TRANSFERS || TCP.length < MIN_TRANSFERS) return [];
  const [udpKbps, tcpKbps] = [medianKbps(UDP), medianKbps(TCP)];
  if (tcpKbps < MIN_RATIO * udpKbps || tcpKbps === 0) return [];
  const ratio = tcpKbps / udpKbps;
  const less =
    udpKbps === 0
      ? 'UDP carried nothing here, TCP'
      : `UDP carried ${formatNumber(ratio, ratio < 10 ? 1 : 0)} times less than TCP here: ${formatMbps(udpKbps)} against`;
  const counts = `${formatCount(UDP.length, 'transfer')} over UDP and ${TCP.length} over TCP`;
  const sentence = `${less} ${formatMbps(tcpKbps)}, medians of ${counts} that ran side by side over two pathways`;
  const atMs = Math.min(...UDP.map(({ fromMs }) => fromMs));
  return [{ id: 'slower-udp', severity: 'warning', sentence, fix: null, atMs }];
}

function medianKbps(transfers: readonly Transfer[]): number {
  const rates = transfers.map(({ kbps }) => kbps).sort((one, other) => one - other);
  const middle = rates.length >> 1;
  return rates.length % 2 === 1 ? rates[middle]! : (rates[middle - 1]! + rates[middle]!) / 2;
}

const ID = 'left-pathway';
const MAX = 5;

interface Stay {
  readonly id: string;
  readonly atMs: number;
  readonly main: string;
  readonly pathway: string;
  backMs: number | null;
}

/** Each time that a steering policy left the pathway of the MPD. */
export const leftPathway: Diagnostic = {
  id: ID,
  label: 'pathways that were left',
  watch({ environment }) {
    const main = environment.steering?.pathways[0]?.id ?? 'main';
    const stays = kept<Stay>(MAX);
    let stay: Stay | null = null;
    return {
      see(event) {
        if (event.kind !== 'steering') return;
        const { id, atMs, fromPathway, pathway } = event;
        if (pathway === main) {
          if (stay) stay.backMs = atMs;
          stay = null;
        } else if (fromPathway === main) {
          stay = { id, atMs, main, pathway, backMs: null };
          stays.add(stay);
        }
      },
      findings: () => [...stays.items.map(stayFound), ...restOf(stays.leftOut, main)],
    };
  },
};

function stayFound({ id, atMs, main, pathway, backMs }: Stay): Finding {
  const end = backMs === null ? 'it has not returned since' : `it returned ${lasting(backMs - atMs)} later`;
  return {
    id: `${ID}:${id}`,
    severity: 'note',
    fix: null,
    atMs,
    sentence: `Steering left the pathway ${cut(main)} for ${cut(pathway)} at ${lasting(atMs)} of the session; ${end}`,
  };
}

const restOf = (count: number, main: string): Finding[] =>
  count === 0
    ? []
    : [
        {
          id: `${ID}:more`,
          severity: 'note',
          fix: null,
          atMs: null,
          sentence: `Steering left the pathway ${cut(main)} ${formatCount(count, 'more time')}`,
        },
      ];
