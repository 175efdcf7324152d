import { failed, ok, type Result } from '../../src/shared/result.ts';

/** Families of congestion control that TCP and QUIC both have. */
export const families = ['reno', 'cubic', 'bbr'] as const;
export type Family = (typeof families)[number];

/** What both transports of an origin send with. */
export interface Senders {
  readonly tcp: Family;
  readonly quic: Family;
  /** QUIC's Cubic takes the share of so many connections; null: of one, as usual. */
  readonly emulatedConnections: number | null;
  /** QUIC's largest window; null: without a limit. */
  readonly maxWindowPackets: number | null;
}

/** Both as nearly every server has them. */
export const USUAL_SENDERS: Senders = {
  tcp: 'cubic',
  quic: 'cubic',
  emulatedConnections: null,
  maxWindowPackets: null,
};

/**
 * Reads a controller as a campaign names it: `bbr` for both transports, `tcp=cubic:quic=bbr` for one each, and
 * `quic=cubic-x6` for QUIC that takes the share of six connections, `quic=cubic-max500` for one whose window is 500 packets at
 * most. The error is one sentence.
 */
export function sendersOf(text: string): Result<Senders> {
  if (isFamily(text)) return ok({ tcp: text, quic: text, emulatedConnections: null, maxWindowPackets: null });
  const [, tcp = '', quic = '', count, max] = SENDERS.exec(text) ?? [];
  const [emulatedConnections, maxWindowPackets] = [numberOf(count), numberOf(max)];
  const isWhole = isFamily(tcp) && isFamily(quic) && mayEmulate(quic, emulatedConnections);
  return isWhole && isWindow(maxWindowPackets)
    ? ok({ tcp, quic, emulatedConnections, maxWindowPackets })
    : failed(
        `Unknown controller "${text}": write ${families.join(', ')} for both transports, or tcp=cubic:quic=bbr; QUIC alone may be cubic-x2 to cubic-x100, and end with -max2 to -max99999 (packets).`,
      );
}

const SENDERS = /^tcp=([a-z]+):quic=([a-z]+?)(?:-x(\d{1,3}))?(?:-max(\d{1,5}))?$/;

const numberOf = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number(digits);

const isFamily = (text: string): text is Family => families.some((family) => family === text);

/** The origin's own limits (lab/origin, `--emulated-connections`); x1 would be another name of plain Cubic. */
const mayEmulate = (quic: Family, count: number | null): boolean =>
  count === null || (quic === 'cubic' && count >= 2 && count <= 100);

const isWindow = (packets: number | null): boolean => packets === null || packets >= 2;

/** QUIC's part of a controller, as logs have it: `cubic-x2-max500`. */
export const formatQuicController = ({
  quic,
  emulatedConnections,
  maxWindowPackets,
}: Omit<Senders, 'tcp'>): string =>
  [
    quic,
    ...(emulatedConnections === null ? [] : [`x${emulatedConnections}`]),
    ...(maxWindowPackets === null ? [] : [`max${maxWindowPackets}`]),
  ].join('-');
