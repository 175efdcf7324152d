import { lookup, Resolver, type LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction } from 'node:net';
import { connect as connectTls, rootCertificates, type PeerCertificate, type TLSSocket } from 'node:tls';
import { portOf } from '../../src/doctor/answers.ts';
import type { ServerEvidence, TlsFacts } from '../../src/doctor/evidence.ts';
import type { Asking } from './ask.ts';

const PATIENCE_MS = 3000;
const MAX_ADDRESSES = 6;

/** Codes of Node for answers without an address of the kind that was asked for. */
const NO_ADDRESS: readonly unknown[] = ['ENODATA', 'ENOTFOUND'];

/** Makes a `lookup` for sockets that asks one resolver alone. */
export function lookupBy(resolver: string): LookupFunction {
  const by = new Resolver({ timeout: PATIENCE_MS, tries: 1 });
  by.setServers([resolver]);
  return (host, { all }, callback) => {
    const found: LookupAddress[] = [];
    let waiting = 2;
    let refused: string | null = null;
    const take =
      (family: 4 | 6) =>
      (error: NodeJS.ErrnoException | null, addresses: readonly string[] = []): void => {
        if (error && !NO_ADDRESS.includes(error.code)) refused = error.code ?? error.message;
        found.push(...addresses.map((address) => ({ address, family })));
        if ((waiting -= 1) > 0) return;
        const [first] = found;
        const why = refused === null ? `has no address of ${host}` : `does not answer (${refused})`;
        if (first) callback(null, all ? found : first.address, first.family);
        else callback(new Error(`the resolver ${resolver} ${why}`), []);
      };
    by.resolve6(host, take(6));
    by.resolve4(host, take(4));
  };
}

/** Returns the addresses of a host, those of IPv6 first. @throws Error with the reason */
export function addressesOf(host: string, by?: LookupFunction): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return Promise.resolve([{ address: host, family }]);
  return new Promise((resolve, reject) => {
    const answer = (error: Error | null, found: string | LookupAddress[]): void =>
      error ? reject(error) : resolve(found as LookupAddress[]);
    if (by) by(host, { all: true }, answer);
    else lookup(host, { all: true }, answer);
  });
}

/** Returns the host of an address, without the brackets of IPv6. */
const hostnameOf = (origin: string): string => new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');

/** Tries every address of a server over TCP, up to six. Null where its name cannot be resolved. */
export async function tryAddresses(
  origin: string,
  { lookup: by }: Asking,
): Promise<ServerEvidence['addresses']> {
  const found = await addressesOf(hostnameOf(origin), by).catch(() => null);
  if (found === null) return null;
  const tried = await Promise.all(
    found.slice(0, MAX_ADDRESSES).map(async ({ address }) => ({
      address,
      error: await failureOf(address, portOf(origin)),
    })),
  );
  return tried.filter(({ error }) => error === null || !NO_WAY_FROM_HERE.includes(error));
}

/** This machine has no network of the address's family, which says nothing of the server. */
const NO_WAY_FROM_HERE = ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'];

function failureOf(host: string, port: number): Promise<string | null> {
  const socket = connectTcp({ host, port });
  return new Promise<string | null>((resolve) => {
    socket.setTimeout(PATIENCE_MS, () => resolve(`no answer within ${PATIENCE_MS / 1000} s`));
    socket.once('connect', () => resolve(null));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  }).finally(() => socket.destroy());
}

/** Shakes hands over TLS as a browser does, and returns what was agreed on; null without TLS. */
export async function tlsFactsOf(origin: string, { trusted, lookup: by }: Asking): Promise<TlsFacts | null> {
  if (!origin.startsWith('https:')) return null;
  const host = hostnameOf(origin);
  const socket = connectTls({
    host,
    port: portOf(origin),
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
    ...(by && { lookup: by }),
    ...(trusted && { ca: [...rootCertificates, trusted.pem] }),
  });
  const none = { alpn: null, version: null, validFromUnixMs: null, validToUnixMs: null };
  return new Promise<TlsFacts>((resolve) => {
    const fail = (code: string, sentence: string): void => resolve({ ...none, error: { code, sentence } });
    socket.setTimeout(PATIENCE_MS, () => fail('ETIMEDOUT', `no answer within ${PATIENCE_MS / 1000} s`));
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? '', error.message));
    socket.once('secureConnect', () => resolve(factsOf(socket)));
  }).finally(() => socket.destroy());
}

function factsOf(socket: TLSSocket): TlsFacts {
  const certificate = socket.getPeerCertificate();
  // A code, although its type says Error (lib/_tls_wrap.js, onConnectSecure).
  const code = socket.authorized ? null : String(socket.authorizationError);
  return {
    alpn: socket.alpnProtocol || null,
    version: socket.getProtocol(),
    error: code === null ? null : { code, sentence: sentenceOf(code, certificate) },
    validFromUnixMs: Date.parse(certificate.valid_from),
    validToUnixMs: Date.parse(certificate.valid_to),
  };
}

function sentenceOf(code: string, { subjectaltname, valid_from, valid_to }: PeerCertificate): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return subjectaltname ?? 'it names no host';
  return code.startsWith('CERT_HAS') || code.startsWith('CERT_NOT') ? `${valid_from} to ${valid_to}` : code;
}
