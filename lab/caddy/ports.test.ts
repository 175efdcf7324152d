import { expect, test } from 'vitest';
import { choosePorts, freePort, loopbackAddresses } from './ports.ts';

const addresses = loopbackAddresses();

test('the kernel may offer the port that is taken for the other protocol: the next one is used', async () => {
  const first = await freePort(addresses);
  const second = await freePort(addresses, { except: first });
  const offered = [first, first, second];
  const claim = (): Promise<number | null> => Promise.resolve(offered.shift() ?? null);
  expect(await freePort(addresses, { except: first, claim })).toBe(second);
});

test('a port that is asked for is not the free one, too', async () => {
  const httpPort = await freePort(addresses);
  const ports = await choosePorts({ httpPort }, addresses);
  expect(ports.httpPort).toBe(httpPort);
  expect(ports.httpsPort).not.toBe(httpPort);
});

test('where every offer is refused, one sentence says so', async () => {
  const taken = await freePort(addresses);
  const claim = (): Promise<number> => Promise.resolve(taken);
  await expect(freePort(['127.0.0.1'], { except: taken, claim })).rejects.toThrow(
    'No port is free for both TCP and UDP on 127.0.0.1.',
  );
});
