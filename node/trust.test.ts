import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askFor, askServer, formatAskError, readTrusted, textOf } from './trust.ts';
import { makeCertificate, type Certificate } from '../lab/caddy/certificate.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-trust-'));
const file = path.join(folder, 'own.pem');
let certificate: Certificate;
let url = '';
let stop = (): void => {};

beforeAll(async () => {
  certificate = await makeCertificate();
  writeFileSync(file, certificate.certificatePem);
  const { privateKeyPem: key, certificatePem: cert } = certificate;
  const server = createServer({ key, cert }, ({ url: asked, method, headers }, response) => {
    if (asked === '/old') response.writeHead(302, { location: '/new' }).end();
    else if (method === 'HEAD') response.writeHead(200, { 'content-length': 1234 }).end();
    else if (headers.range !== undefined) response.writeHead(206).end(headers.range);
    else response.end(`at ${asked}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => void server.close();
});
afterAll(() => {
  stop();
  rmSync(folder, { recursive: true });
});

test('a certificate is named by the hash that browsers accept it by', async () => {
  expect((await readTrusted(file)).spkiSha256Base64).toBe(certificate.spkiSha256Base64);
  const two = path.join(folder, 'two.pem');
  writeFileSync(two, `${certificate.certificatePem}\n${certificate.certificatePem}`);
  expect((await readTrusted(two)).spkiSha256Base64.split(',')).toHaveLength(2);
});

test.each([
  ['nowhere.pem', undefined, /^--trust: .*nowhere\.pem: There is no such file/],
  ['empty.pem', 'no certificate', /empty\.pem: It has no certificate in PEM/],
  [
    'torn.pem',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    /torn\.pem: Certificate 1 of the file cannot be read\./,
  ],
])('%s is refused', async (name, text, sentence) => {
  const bad = path.join(folder, name);
  if (text !== undefined) writeFileSync(bad, text);
  await expect(readTrusted(bad)).rejects.toThrow(sentence);
  await expect(readTrusted(bad)).rejects.toMatchObject({ exitCode: 2 });
});

test('a server with that certificate answers, also after a redirect, and nobody trusts it without', async () => {
  const trusted = await readTrusted(file);
  expect(await askFor(`${url}/old`, 5000, trusted)).toEqual({
    status: 200,
    ok: true,
    url: `${url}/new`,
    text: 'at /new',
  });
  const refused = await askFor(`${url}/new`, 5000).catch((error: Error) => formatAskError(error));
  expect(refused).toMatch(/^its certificate is not trusted: .*; --trust FILE\.pem trusts it$/);
});

test('a server with that certificate is asked for a length and for a range', async () => {
  const trusted = await readTrusted(file);
  const { headers } = await askServer(`${url}/old`, { method: 'HEAD' }, trusted);
  expect(headers.get('Content-Length')).toBe('1234');
  const part = await askServer(url, { headers: { range: 'bytes=0-9' } }, trusted);
  expect([part.status, textOf(part.body)]).toEqual([206, 'bytes=0-9']);
});

test('another failure is named by itself', async () => {
  const refused = await askFor('http://127.0.0.1:9/', 5000).catch((error: Error) => formatAskError(error));
  expect(refused).not.toContain('--trust');
});
