import type { Link } from '../link.ts';
import type { BothWays } from './figures.ts';
import type { Arrivals, FlowOptions, Sent, Traffic } from './traffic.ts';

/** What was sent one way, and what came of it. */
export interface Flow {
  readonly sent: Sent;
  readonly arrivals: Arrivals;
}

export interface Ends {
  readonly link: Pick<Link, 'client' | 'server'>;
  readonly client: Traffic;
  readonly server: Traffic;
}

const PORT = 7001;
const RESERVE_MS = 200;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends the same flow both ways at once, and waits until the last packet can have come: `drainMs` after it was sent. */
export async function flowBothWays(
  { link, client, server }: Ends,
  options: FlowOptions,
  drainMs: number,
): Promise<BothWays<Flow>> {
  await Promise.all([client.listen(PORT), server.listen(PORT)]);
  const [down, up] = await Promise.all([
    server.flow({ host: link.client.address, port: PORT, ...options }),
    client.flow({ host: link.server.address, port: PORT, ...options }),
  ]);
  await pause(drainMs + RESERVE_MS);
  const [atClient, atServer] = await Promise.all([client.arrivals(PORT), server.arrivals(PORT)]);
  return { down: { sent: down, arrivals: atClient }, up: { sent: up, arrivals: atServer } };
}
