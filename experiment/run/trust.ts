import { createHash, X509Certificate } from 'node:crypto';
import { get as getOverHttps } from 'node:https';
import { rootCertificates } from 'node:tls';
import { usageError } from '../../node/exitCodes.ts';
import { readText } from '../../node/files.ts';

/** Certificates that the lab trusts beside the public ones, of `--trust`. */
export interface Trusted {
  /** As the file has them. */
  readonly pem: string;
  /** Base64 SHA-256 of each public key, comma-separated: `--ignore-certificate-errors-spki-list` of Chromium. */
  readonly spkiSha256Base64: string;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the file of `--trust`. @throws Error in one sentence where it has no certificate */
export async function readTrusted(file: string): Promise<Trusted> {
  const pem = await readText(file).catch((error: Error) => {
    throw usageError(`--trust: ${error.message}`);
  });
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0)
    throw usageError(`--trust: ${file}: It has no certificate in PEM (-----BEGIN CERTIFICATE-----).`);
  return { pem: certificates.join('\n'), spkiSha256Base64: certificates.map(spkiOf(file)).join(',') };
}

const spkiOf =
  (file: string) =>
  (certificate: string, index: number): string => {
    try {
      const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
      return createHash('sha256').update(spki).digest('base64');
    } catch {
      throw usageError(`--trust: ${file}: Certificate ${index + 1} of the file cannot be read.`);
    }
  };

/** What a server answered to a request for a text. */
export interface Answered {
  readonly status: number;
  readonly ok: boolean;
  /** After redirects. */
  readonly url: string;
  readonly text: string;
}

const MAX_REDIRECTS = 5;

/** Asks for a text as `fetch` does, which knows no certificates of ours. Rejects with the reason of the network. */
export async function askFor(
  url: string,
  withinMs: number,
  trusted?: Pick<Trusted, 'pem'>,
): Promise<Answered> {
  const signal = AbortSignal.timeout(withinMs);
  if (!trusted || !url.startsWith('https:')) {
    const response = await fetch(url, { signal });
    return { status: response.status, ok: response.ok, url: response.url, text: await response.text() };
  }
  let at = url;
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
    const { location, ...answer } = await askOnce(at, signal, trusted);
    if (location === null) return answer;
    at = new URL(location, at).href;
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}

function askOnce(
  url: string,
  signal: AbortSignal,
  { pem }: Pick<Trusted, 'pem'>,
): Promise<Answered & { location: string | null }> {
  return new Promise((resolve, reject) => {
    const options = { signal, agent: false, ca: [...rootCertificates, pem] };
    const asked = getOverHttps(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response;
        const isMoved = status >= 300 && status < 400;
        resolve({
          ...{ status, url, ok: status >= 200 && status < 300, text: Buffer.concat(chunks).toString() },
          location: isMoved ? (headers.location ?? null) : null,
        });
      });
    });
    asked.on('error', reject);
  });
}

/** Codes of Node for a certificate that is not trusted (doc/api/tls.md, "X509 certificate error codes"). */
const UNTRUSTED = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;

/** Why a request of `askFor` failed, for people: a certificate by name, for it is the one thing that can be helped here. */
export function formatAskError(error: Error): string {
  const cause =
    (error.cause as (Error & { code?: string }) | undefined) ?? (error as Error & { code?: string });
  return UNTRUSTED.test(cause.code ?? '')
    ? `its certificate is not trusted: ${cause.message}; --trust FILE.pem trusts it`
    : cause.message;
}
