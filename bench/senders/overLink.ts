import { BULK_PREFIX, bulkFolder } from '../load/bulkFolder.ts';
import { runLoad, type LoadResult } from '../load/runLoad.ts';
import type { LoadOptions } from '../../lab/load/loadProgram.ts';
import { createLink } from '../../lab/link/createLink.ts';
import type { Link } from '../../lab/link/link.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import {
  startInstrumentedOrigin,
  type InstrumentedOptions,
} from '../../lab/origin/startInstrumentedOrigin.ts';
import type { Profile } from '../../src/network/profile.ts';

/** A link that never changes. */
export interface Bottleneck {
  /** Down; up is not limited, so that acknowledgements wait for nobody. */
  readonly rateKbps: number;
  readonly rttMs: number;
  /** Down, at random, behind the queue; 0 to 1. */
  readonly loss: number;
  /** In bandwidth-delay products. */
  readonly queueBdp: number;
}

export interface LinkedOrigin {
  readonly link: Link;
  readonly origin: Origin;
  /** Asks from the client's end. */
  load(options: Omit<LoadOptions, 'address' | 'host' | 'namespace'>): Promise<LoadResult>;
}

interface OverLinkOptions extends Bottleneck {
  readonly seed: number;
  readonly sender: Sender;
  /** Default: the instrumented origin. */
  readonly program?: 'instrumented' | 'caddy';
}

/** How the origin sends. TCP's first window is the route's. */
export type Sender = Pick<
  InstrumentedOptions,
  'tcpController' | 'tcpPacing' | 'tlsRecords' | 'quicController' | 'emulatedConnections' | 'transportLogFile'
> & { readonly initialWindowPackets: number };

const HOST = 'origin.test';

/** Makes a link with an origin at its end, does `work`, and removes both. */
export async function overLink<T>(
  options: OverLinkOptions,
  work: (place: LinkedOrigin) => Promise<T>,
): Promise<T> {
  const { sender, seed, program = 'instrumented' } = options;
  const { initialWindowPackets } = sender;
  const bulk = bulkFolder();
  let [link, origin]: [Link | null, Origin | null] = [null, null];
  try {
    link = await createLink({ profile: profileOf(options), seed });
    const { namespace, address } = link.server;
    const { tcpController: name = 'cubic' } = sender;
    await link.useController('server', { name, initialWindowPackets });
    const mounts = { [BULK_PREFIX]: bulk.folder };
    const at = { namespace, addresses: [address], host: HOST, mounts };
    origin = await (program === 'caddy' ? startCaddy(at) : startInstrumentedOrigin({ ...sender, ...at }));
    const from = { address: `${address}:${origin.httpsPort}`, host: HOST, namespace: link.client.namespace };
    return await Promise.race([
      work({ link, origin, load: (asked) => runLoad({ ...asked, ...from }) }),
      failureOf(link),
    ]);
  } finally {
    await origin?.stop();
    await link?.remove();
    bulk.remove();
  }
}

const failureOf = async (link: Link): Promise<never> => {
  throw new Error(await link.failed);
};

function profileOf({ rateKbps, rttMs, loss, queueBdp }: Bottleneck): Profile {
  return {
    id: 'senders',
    label: 'Senders',
    paper: 'none: a link to be measured over',
    repeat: false,
    queue: { kind: 'droptail', bdp: queueBdp },
    steps: [{ durationMs: 3_600_000, downKbps: rateKbps, upKbps: null, rttMs, lossDown: loss, lossUp: 0 }],
  };
}

export const nameOf = ({ rateKbps, rttMs, loss, queueBdp }: Bottleneck): string =>
  `${rateKbps / 1000} Mbit/s, ${rttMs} ms, loss ${loss * 100} %, queue ${queueBdp} BDP`;
