/** Finds and checks ports on this machine. */
import { createServer } from 'node:net';
import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';

/** 127.0.0.1, and ::1 where the machine has it: `localhost` may mean either. */
export function loopbackAddresses(): string[] {
  const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
    list?.some((entry) => entry.address === '::1'),
  );
  return hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
}

/**
 * The two ports of an origin: those that are asked for, and a free one for each other (0 asks for a free one, too).
 *
 * @throws Error with one sentence when a port that is asked for is taken.
 */
export async function choosePorts(
  asked: { readonly httpsPort?: number; readonly httpPort?: number },
  addresses: readonly string[],
): Promise<{ httpsPort: number; httpPort: number }> {
  for (const port of [asked.httpsPort, asked.httpPort]) {
    if (port !== undefined && !(await portIsFree(port, addresses))) {
      throw new Error(
        `Port ${port} is already in use on ${addresses.join(' or ')}: choose another with --port, --https-port or --tcp-port (0: a free one).`,
      );
    }
  }
  // Nothing listens on the first one yet, so that it may be found free again. One port would have to speak both.
  const httpsPort = asked.httpsPort || (await freePort(addresses, { except: asked.httpPort }));
  const httpPort = asked.httpPort || (await freePort(addresses, { except: httpsPort }));
  return { httpsPort, httpPort };
}

/** A port other than `except` that is free for TCP and UDP (HTTP/3) on every address at this moment. */
export async function freePort(
  addresses: readonly string[],
  {
    except,
    claim = claimTcp,
  }: { readonly except?: number | undefined; readonly claim?: typeof claimTcp } = {},
): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const port = await claim(0, addresses[0] ?? '127.0.0.1');
    if (port !== null && port !== except && (await portIsFree(port, addresses))) return port;
  }
  throw new Error(`No port is free for both TCP and UDP on ${addresses.join(' and ')}.`);
}

/**
 * Whether a port is free for TCP and UDP on every address. Caddy shares a TCP port with whoever has it
 * (SO_REUSEPORT), so its own start would not tell.
 */
export async function portIsFree(port: number, addresses: readonly string[]): Promise<boolean> {
  for (const address of addresses) {
    if ((await claimTcp(port, address)) === null || !(await claimUdp(port, address))) return false;
  }
  return true;
}

/** Opens and closes a TCP port; null when it is taken. */
function claimTcp(port: number, address: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: address, exclusive: true }, () => {
      const bound = server.address();
      server.close(() => resolve(bound !== null && typeof bound === 'object' ? bound.port : null));
    });
  });
}

function claimUdp(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
