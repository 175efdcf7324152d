import type { CompareCell, InstrumentedPlan } from './plan.ts';
import type { Origin, OriginOptions } from '../../../lab/caddy/origin.ts';
import { startCaddy } from '../../../lab/caddy/startCaddy.ts';
import type { Controller } from '../../../lab/link/controller.ts';
import { QUIC_WORDS, TCP_WORDS, tcpSender } from '../../../lab/link/fairness.ts';
import { startInstrumentedOrigin } from '../../../lab/origin/startInstrumentedOrigin.ts';
import { sendersOf, USUAL_SENDERS, type Senders } from '../../plan/sendersOf.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

type Environment = SessionLog['environment'];
type OriginRun = NonNullable<Environment['origin']>;

/** The origin of a cell, and how it sends. */
export interface CellOrigin {
  /** For the routes at both ends of a link: TCP's first window is theirs. */
  readonly tcp: Controller;
  /** For the log, where TCP's first window has been set. */
  readonly facts: Pick<Environment, 'tcpController' | 'quicController'> & { readonly origin: OriginRun };
  /** `transportLogFile` is for the instrumented origin: Caddy writes none. */
  start(options: OriginOptions, transportLogFile: string): Promise<Origin>;
}

/** Caddy, or the instrumented origin with the cell's controllers. */
export function cellOrigin(
  instrumented: InstrumentedPlan | undefined,
  { controller }: Pick<CompareCell, 'controller'>,
): CellOrigin {
  if (!instrumented) return caddy;
  const senders = controller === undefined ? USUAL_SENDERS : knownSenders(controller);
  const { initialWindowPackets, tcpPacing, zeroRtt } = instrumented;
  const origin = originRun(instrumented, senders);
  return {
    tcp: { name: senders.tcp, initialWindowPackets },
    facts: { origin, tcpController: formatSender(origin.tcp), quicController: formatSender(origin.quic) },
    start: (options, transportLogFile) =>
      startInstrumentedOrigin({
        ...options,
        ...{ tcpController: senders.tcp, quicController: senders.quic },
        ...{ initialWindowPackets, tcpPacing, zeroRtt, transportLogFile },
        ...(senders.emulatedConnections !== null && { emulatedConnections: senders.emulatedConnections }),
      }),
  };
}

const caddy: CellOrigin = {
  tcp: tcpSender,
  facts: {
    tcpController: TCP_WORDS,
    quicController: QUIC_WORDS,
    origin: {
      program: 'caddy',
      tcp: { controller: 'reno', initialWindowPackets: tcpSender.initialWindowPackets, paced: false },
      quic: { controller: 'reno', initialWindowPackets: 32, paced: true },
      zeroRtt: null,
    },
  },
  start: (options) => startCaddy(options),
};

function originRun(
  { initialWindowPackets, tcpPacing, zeroRtt }: InstrumentedPlan,
  senders: Senders,
): OriginRun {
  const { tcp, quic, emulatedConnections } = senders;
  return {
    program: 'instrumented',
    // The kernel's BBR is always paced, and so is everything of quinn.
    tcp: { controller: tcp, initialWindowPackets, paced: tcpPacing || tcp === 'bbr' },
    quic: {
      controller: emulatedConnections === null ? quic : `${quic}-x${emulatedConnections}`,
      ...{ initialWindowPackets, paced: true },
    },
    zeroRtt,
  };
}

const formatSender = ({ controller, initialWindowPackets, paced }: OriginRun['tcp']): string =>
  `${controller}, initial window ${initialWindowPackets} packets, ${paced ? 'paced' : 'not paced'}`;

function knownSenders(controller: string): Senders {
  const senders = sendersOf(controller);
  if (!senders.ok) throw new Error(senders.error);
  return senders.value;
}
