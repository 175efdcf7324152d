import { connect, createServer, type Socket } from 'node:net';
import type { Drunk, Traffic } from './traffic.ts';

export const tcpTraffic: Pick<Traffic, 'pour' | 'drink'> = {
  pour: (port) =>
    new Promise((resolve) => {
      createServer(keepSending).listen(port, '0.0.0.0', () => resolve());
    }),
  drink: ({ host, port, durationMs }) =>
    new Promise<Drunk>((resolve, reject) => {
      const atMs: number[] = [];
      const totalBytes: number[] = [];
      const socket = connect(port, host);
      socket.on('data', (chunk) => {
        atMs.push(Number(process.hrtime.bigint()) / 1e6);
        totalBytes.push((totalBytes.at(-1) ?? 0) + chunk.length);
      });
      socket.on('error', reject);
      setTimeout(() => {
        socket.destroy();
        resolve({ atMs, totalBytes });
      }, durationMs);
    }),
};

function keepSending(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024);
  const send = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  // The reader leaves in the middle.
  socket.on('error', () => {});
  send();
}
