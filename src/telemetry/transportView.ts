import type { RequestEvent } from './event.ts';

/** What a server said of the connection that carried a response, whatever form it said it in. Unknown is null. */
export interface TransportView {
  /** Server-Timing with a name per figure, Cloudflare's `cfL4` entry of it, or CMSD (CTA-5006). */
  readonly source: 'Server-Timing' | 'cfL4' | 'CMSD';
  readonly rttMs: number | null;
  readonly minRttMs: number | null;
  readonly rttVarMs: number | null;
  readonly cwndBytes: number | null;
  /** Where the server counts packets and does not say how long they are. */
  readonly cwndPackets: number | null;
  readonly inFlightBytes: number | null;
  /** Declared lost (QUIC) or sent again (TCP) so far. */
  readonly lostPackets: number | null;
  readonly deliveryRateKbps: number | null;
  /** What the server expects to reach (CMSD `etp`). */
  readonly expectedKbps: number | null;
  /** The server's name of the connection. */
  readonly connection: string | null;
  readonly controller: string | null;
}

/** A server's own account of the transport, from the headers of one response; null when it gave none. */
export function transportView(
  request: Pick<RequestEvent, 'serverTiming' | 'cmsdDynamic'>,
): TransportView | null {
  const cmsd = request.cmsdDynamic === null ? NOTHING : cmsdFields(request.cmsdDynamic);
  const reported = (request.serverTiming ?? []).map(({ name, durationMs, description }) => {
    const key = name.toLowerCase();
    return [key, { ms: positive(durationMs), text: description }] as const;
  });
  const metrics = new Map(reported);
  const cloudflare = metrics.get('cfl4');
  const views = [
    named(metrics, cmsd),
    cloudflare ? cloudflareView(cloudflare.text) : null,
    viewOf('CMSD', cmsd),
  ];
  return views.find((view) => view && (view.rttMs ?? view.cwndBytes ?? view.cwndPackets) !== null) ?? null;
}

type Metrics = ReadonlyMap<string, { readonly ms: number | null; readonly text: string }>;

/** `rtt;dur=20.1, cwnd;desc="48000", controller;desc="cubic"`: as our own origin says it (docs/instrumented-origin.md). */
function named(metrics: Metrics, cmsd: Partial<TransportView>): TransportView {
  const count = (name: string): number | null => numberOf(metrics.get(name)?.text);
  const ms = (name: string): number | null => metrics.get(name)?.ms ?? null;
  return viewOf('Server-Timing', {
    rttMs: ms('rtt'),
    minRttMs: ms('min-rtt'),
    rttVarMs: ms('rtt-var'),
    cwndBytes: positive(count('cwnd')),
    inFlightBytes: count('in-flight'),
    lostPackets: count('lost') ?? count('retransmitted'),
    deliveryRateKbps: count('delivery-rate'),
    expectedKbps: cmsd.expectedKbps ?? null,
    connection: metrics.get('connection')?.text || null,
    controller: metrics.get('controller')?.text || null,
  });
}

/**
 * `cfL4;desc="?proto=TCP&rtt=5003&…&delivery_rate=571652&cwnd=54&…"`. Cloudflare describes it nowhere; the units are the
 * kernel's and quiche's, as the figures of real responses show: µs, bytes a second, and a window in packets (TCP, where
 * a fresh connection says 10 to 250) or in bytes (QUIC, which begins with 12000).
 */
function cloudflareView(text: string): TransportView {
  const fields = new Map(
    text
      .replace(/^\?/, '')
      .split('&')
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=');
        return [name, value] as const;
      }),
  );
  const count = (name: string): number | null => numberOf(fields.get(name));
  const ms = (name: string): number | null => per(1000, positive(count(name)));
  const isQuic = fields.get('proto') === 'QUIC';
  const isTcp = fields.get('proto') === 'TCP';
  const cwnd = positive(count('cwnd'));
  return viewOf('cfL4', {
    rttMs: ms('rtt'),
    minRttMs: ms('min_rtt'),
    rttVarMs: ms('rtt_var'),
    cwndBytes: isQuic ? cwnd : null,
    cwndPackets: isTcp ? cwnd : null,
    lostPackets: count(isQuic ? 'lost' : 'retrans'),
    deliveryRateKbps: per(125, count('delivery_rate')),
    connection: fields.get('cid') || null,
  });
}

/**
 * `"origin";etp=115;rtt=30, "edge";etp=76;rtt=32`: each server on the way appends itself (CTA-5006 §2), so that the last
 * one spoke of the way to us. `rtt` in ms, `etp` in kbit/s. Strings may hold whatever separates.
 */
function cmsdFields(header: string): Partial<TransportView> {
  const last =
    header
      .replace(/"(?:[^"\\]|\\.)*"/g, '')
      .split(',')
      .at(-1) ?? '';
  const value = (key: string): number | null =>
    numberOf(new RegExp(`;\\s*${key}=([^;\\s]*)`).exec(last)?.[1]);
  return { rttMs: positive(value('rtt')), expectedKbps: value('etp') };
}

const NOTHING: Partial<TransportView> = {};

const viewOf = (source: TransportView['source'], reported: Partial<TransportView>): TransportView => ({
  rttMs: null,
  minRttMs: null,
  rttVarMs: null,
  cwndBytes: null,
  cwndPackets: null,
  inFlightBytes: null,
  lostPackets: null,
  deliveryRateKbps: null,
  expectedKbps: null,
  connection: null,
  controller: null,
  ...reported,
  source,
});

/** More than this of anything is nonsense: a window of 10 GB, 100 days. */
const MAX = 1e10;

/** A plain decimal number that can be true, else null: headers come from anywhere. */
function numberOf(text: string | undefined): number | null {
  if (!text || !/^\d{1,11}(\.\d+)?$/.test(text)) return null;
  const value = Number(text);
  return value <= MAX ? value : null;
}

/** Browsers say 0 where an entry has no duration; no round trip and no window is 0. */
const positive = (value: number | null): number | null =>
  value !== null && value > 0 && value <= MAX ? value : null;

const per = (divisor: number, value: number | null): number | null =>
  value === null ? null : value / divisor;
