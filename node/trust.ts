import { createHash, X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { rootCertificates } from 'node:tls';
import { usageError } from './exitCodes.ts';
import { readText } from './files.ts';

/** Certificates that the lab trusts beside the public ones, of `--trust`. */
export interface Trusted {
  /** Certificates as the file has them. */
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

/** Reads the file of `--trust` where one is named. @throws Error in one sentence where it has no certificate */
export const trustedBy = async ({
  trust,
}: {
  readonly trust?: string | undefined;
}): Promise<Trusted | undefined> => (trust === undefined ? undefined : readTrusted(trust));

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

/** What is asked of a server; absent: GET, without headers of its own and without a limit. */
export interface Asking {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What a server answered. */
export interface ServerAnswer extends Omit<Answered, 'text'> {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: Uint8Array;
}

const MAX_REDIRECTS = 5;

/** Asks for a text within `withinMs`. Rejects as `askServer` does. */
export async function askFor(
  url: string,
  withinMs: number,
  trusted?: Pick<Trusted, 'pem'>,
): Promise<Answered> {
  const signal = AbortSignal.timeout(withinMs);
  const { status, ok, url: at, body } = await askServer(url, { signal }, trusted);
  return { status, ok, url: at, text: textOf(body) };
}

/** Decodes UTF-8, without the mark of its order of bytes. */
export const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

/** Asks a server as `fetch` does, which knows no certificates of ours. Rejects with the reason of the network. */
export async function askServer(
  url: string,
  asking: Asking,
  trusted?: Pick<Trusted, 'pem'>,
): Promise<ServerAnswer> {
  if (!trusted || !url.startsWith('https:')) {
    const response = await fetch(url, asking);
    const { status, ok, url: at, headers } = response;
    return { status, ok, url: at, headers, body: new Uint8Array(await response.arrayBuffer()) };
  }
  let at = url;
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
    const answer = await askOnce(at, asking, trusted);
    const location = isMoved(answer) ? answer.headers.get('location') : null;
    if (location === null) return answer;
    at = new URL(location, at).href;
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}

const isMoved = ({ status }: ServerAnswer): boolean => status >= 300 && status < 400;

function askOnce(url: string, asking: Asking, { pem }: Pick<Trusted, 'pem'>): Promise<ServerAnswer> {
  return new Promise((resolve, reject) => {
    const options = { ...asking, agent: false, ca: [...rootCertificates, pem] };
    const asked = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response;
        const ok = status >= 200 && status < 300;
        const get = (name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null;
        resolve({ status, ok, url, headers: { get }, body: Buffer.concat(chunks) });
      });
    });
    asked.on('error', reject);
    asked.end();
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
