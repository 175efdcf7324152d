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
}

/** Both as nearly every server has them. */
export const USUAL_SENDERS: Senders = { tcp: 'cubic', quic: 'cubic', emulatedConnections: null };

/**
 * Reads a controller as a campaign names it: `bbr` for both transports, `tcp=cubic:quic=bbr` for one each, and
 * `quic=cubic-x6` for QUIC that takes the share of six connections. The error is one sentence.
 */
export function sendersOf(text: string): Result<Senders> {
  if (isFamily(text)) return ok({ tcp: text, quic: text, emulatedConnections: null });
  const [, tcp = '', quic = '', count] = /^tcp=([a-z]+):quic=([a-z]+?)(?:-x(\d{1,3}))?$/.exec(text) ?? [];
  const emulatedConnections = count === undefined ? null : Number(count);
  const isWhole = isFamily(tcp) && isFamily(quic) && mayEmulate(quic, emulatedConnections);
  return isWhole
    ? ok({ tcp, quic, emulatedConnections })
    : failed(
        `Unknown controller "${text}": write ${families.join(', ')} for both transports, or tcp=cubic:quic=bbr; QUIC alone may be cubic-x2 to cubic-x100.`,
      );
}

const isFamily = (text: string): text is Family => families.some((family) => family === text);

/** The origin's own limits (lab/origin, `--emulated-connections`); x1 would be another name of plain Cubic. */
const mayEmulate = (quic: Family, count: number | null): boolean =>
  count === null || (quic === 'cubic' && count >= 2 && count <= 100);
