import { createPublicKey, createHash, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeCertificate } from './certificate.ts';

describe('makeCertificate', () => {
  test('signs itself for the names and addresses of the lab, and states the hash of its key', async () => {
    const made = await makeCertificate(['extra.test', '203.0.113.1']);
    const read = new X509Certificate(made.certificatePem);
    expect(read.verify(read.publicKey)).toBe(true);
    for (const name of ['localhost', 'origin.test', 'cdn.origin.test', 'other.test', 'extra.test']) {
      expect(read.checkHost(name)).toBeDefined();
    }
    for (const address of ['127.0.0.1', '::1', '203.0.113.1']) expect(read.checkIP(address)).toBeDefined();
    expect(read.checkHost('elsewhere.test')).toBeUndefined();
    const spki = read.publicKey.export({ type: 'spki', format: 'der' });
    expect(made.spkiSha256Base64).toBe(createHash('sha256').update(spki).digest('base64'));
    expect(createPublicKey(made.privateKeyPem).asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  });

  test('is another one each time', async () => {
    const [first, second] = await Promise.all([makeCertificate(), makeCertificate()]);
    expect(first.spkiSha256Base64).not.toBe(second.spkiSha256Base64);
  });
});
