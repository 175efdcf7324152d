import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openRelay } from './relay.ts';

it('leads to the port of the same number behind the command, and back', async () => {
  const asked: string[][] = [];
  const echo = createServer((socket) => socket.pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as AddressInfo;
  // In place of a namespace: the last word is the port, which there is the relay's own.
  const relay = await openRelay((command) => {
    asked.push([...command]);
    const [program, ...args] = command.slice(0, -1) as [string, ...string[]];
    return [program, ...args, String(port)];
  });
  try {
    const socket = connect(relay.port, '127.0.0.1');
    socket.write('over and back');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toBe('over and back');
    expect(asked[0]!.at(-1)).toBe(String(relay.port));
    relay.close();
    await once(socket, 'close');
  } finally {
    echo.close();
  }
});
