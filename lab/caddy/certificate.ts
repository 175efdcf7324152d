/**
 * A throw-away certificate for the origin: self-signed ECDSA P-256, made in memory for each origin.
 *
 * Browsers accept it by the hash of its public key (`--ignore-certificate-errors-spki-list`), so nothing
 * is installed into a trust store and no private key outlives the process.
 */
import { createHash, webcrypto } from 'node:crypto';
import type { JsonGeneralNames } from '@peculiar/x509';

/** The certificate and key as PEM text, and the hash with which a browser accepts it. */
export interface Certificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** Base64 SHA-256 of the SubjectPublicKeyInfo, as Chromium's `--ignore-certificate-errors-spki-list` takes it. */
  readonly spkiSha256Base64: string;
}

/** Names that the tests and the lab use, so that one certificate serves them all. */
const certifiedNames = ['localhost', 'origin.test', '*.origin.test', 'other.test'] as const;
const certifiedAddresses = ['127.0.0.1', '::1'] as const;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const hourMs = 3_600_000;
const validForMs = 90 * 24 * hourMs;

/** Makes a certificate for `certifiedNames`, `certifiedAddresses` and `extraNames` (host names or IP addresses). */
export async function makeCertificate(extraNames: readonly string[] = []): Promise<Certificate> {
  // Loaded here, as it takes a quarter of a second that commands without an origin need not spend.
  // tsyringe inside it refuses to load without a Reflect metadata polyfill before it.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=Pitwall throw-away origin',
      keys,
      signingAlgorithm: algorithm,
      // An hour back, for a machine whose clock runs behind.
      notBefore: new Date(Date.now() - hourMs),
      notAfter: new Date(Date.now() + validForMs),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(alternativeNames(extraNames)),
      ],
    },
    webcrypto as unknown as Crypto,
  );
  return {
    certificatePem: certificate.toString('pem'),
    privateKeyPem: x509.PemConverter.encode(
      await webcrypto.subtle.exportKey('pkcs8', keys.privateKey),
      'PRIVATE KEY',
    ),
    spkiSha256Base64: spkiSha256(new Uint8Array(certificate.publicKey.rawData)),
  };
}

function spkiSha256(spki: Uint8Array): string {
  return createHash('sha256').update(spki).digest('base64');
}

function alternativeNames(extraNames: readonly string[]): JsonGeneralNames {
  const all = new Set<string>([...certifiedNames, ...certifiedAddresses, ...extraNames]);
  return [...all].map((name) => ({ type: isAddress(name) ? 'ip' : 'dns', value: name }));
}

function isAddress(name: string): boolean {
  return name.includes(':') || /^[\d.]+$/.test(name);
}
