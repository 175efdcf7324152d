import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 5;
const PATIENCE_MS = 300;

/** Why no UDP gets from this machine to itself at `address`, in one sentence without a full stop; null when it does. */
export async function udpMissing(address = '127.0.0.1'): Promise<string | null> {
  const family = address.includes(':') ? 'udp6' : 'udp4';
  const [from, to] = [createSocket(family), createSocket(family)];
  try {
    const reason = await crossing(from, to, address).catch((error: Error) => error.message);
    return reason && `UDP does not get through on ${address} of this machine (${reason})`;
  } finally {
    from.close();
    to.close();
  }
}

/** Why nothing arrived; null when something did. */
async function crossing(from: Socket, to: Socket, address: string): Promise<string | null> {
  to.bind({ port: 0, address, exclusive: true });
  await once(to, 'listening');
  const { port } = to.address() as AddressInfo;
  const arrived = once(to, 'message').then(() => true);
  let reason = 'nothing arrives';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    // A firewall on the way out answers the sender with EPERM.
    from.send('pitwall', port, address, (error) => {
      if (error) reason = error.message;
    });
    if (await Promise.race([arrived, sleep(PATIENCE_MS, false)])) return null;
  }
  return reason;
}
