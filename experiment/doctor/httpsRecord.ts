import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { readHttpsRecords, writeHttpsQuestion } from '../../lab/dns/message.ts';
import type { HttpsRecord } from '../../src/doctor/evidence.ts';

const PATIENCE_MS = 1500;

/** Finds the HTTPS records of a server by one small question to a resolver. @throws Error with the reason */
export async function httpsRecordsOf(
  origin: string,
  resolver: string = getServers()[0] ?? '',
): Promise<HttpsRecord[]> {
  const { hostname, port } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || /(^|\.)localhost$/.test(hostname)) return [];
  if (resolver === '') throw new Error('the system names no resolver');
  // RFC 9460, section 9.1.
  const name = port === '' ? hostname : `_${port}._https.${hostname}`;
  for (let tries = 1; ; tries += 1)
    try {
      return readHttpsRecords(await askResolver(writeHttpsQuestion(name), addressOf(resolver)));
    } catch (error) {
      if (tries === 2) throw new Error(`the resolver ${resolver}: ${(error as Error).message}`);
    }
}

/** Splits `1.1.1.1:5353` or `[::1]:5353`; port 53 where none is named. */
function addressOf(resolver: string): { host: string; port: number } {
  const [, host = resolver, port = '53'] =
    /^\[(.*)\](?::(\d+))?$/.exec(resolver) ?? /^([^:]*)(?::(\d+))?$/.exec(resolver) ?? [];
  return { host, port: Number(port) };
}

function askResolver(question: Buffer, { host, port }: { host: string; port: number }): Promise<Buffer> {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
  let timer: NodeJS.Timeout | undefined;
  return new Promise<Buffer>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    socket.on('message', (reply) => {
      // What somebody else sends has another id.
      if (reply.length < 12 || reply.readUInt16BE(0) !== question.readUInt16BE(0)) return;
      resolve(reply);
    });
    socket.on('error', reject);
    // Connected, so that a port where nobody listens is an error at once.
    socket.connect(port, host, () => socket.send(question));
  }).finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}
