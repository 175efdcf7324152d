import type { Check } from '../check.ts';
import { hostOf } from '../answers.ts';
import type { Evidence, ServerEvidence, TlsFacts } from '../evidence.ts';
import { certificateFix, elsewhere, h2Fix, httpsFix, tls13Fix } from '../fixes.ts';
import { formatCount } from '../../shared/format.ts';

const about = { topic: 'names-and-certificates' } as const;
const DAY_MS = 86_400_000;

export const deadAddress: Check = {
  ...about,
  id: 'dead-address',
  label: 'addresses of the name',
  needs: ['addresses'],
  severity: 'problem',
  why: 'A browser that tries this address first waits for it, 300 ms or longer, before it tries the next one. A device that has no other one does not play.',
  fix: elsewhere('let the server listen on every address that DNS gives for its name, or remove the address'),
  run: ({ servers }) =>
    servers.flatMap(({ origin, addresses }) =>
      (addresses ?? []).flatMap(({ address, error }) =>
        error === null
          ? []
          : [`${hostOf(origin)} has the address ${address}, which does not answer over TCP (${error})`],
      ),
    ),
};

/** Codes of Node for certificates (doc/api/tls.md, "X509 certificate error codes"), by what is wrong. */
const CERTIFICATE_FAULTS = {
  'certificate-name': /^ERR_TLS_CERT_ALTNAME_INVALID$/,
  'certificate-time': /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
  'certificate-chain': /^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)$/,
  'certificate-untrusted':
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|CERT_(?!HAS_EXPIRED|NOT_YET_VALID)\w+)$/,
} as const;

/** A certificate that browsers refuse, for one reason. */
const certificateCheck = (
  id: keyof typeof CERTIFICATE_FAULTS,
  { label, text, sentence }: { label: string; text: string; sentence: (host: string) => string },
): Check => ({
  ...about,
  id,
  label,
  needs: ['tls'],
  severity: 'problem',
  why: 'Browsers refuse the connection, over TCP and over QUIC. Nothing plays.',
  fix: certificateFix(text),
  run: ({ servers }) =>
    servers.flatMap(({ origin, tls }) =>
      tls?.error && CERTIFICATE_FAULTS[id].test(tls.error.code)
        ? [`${sentence(hostOf(origin))} (${tls.error.sentence})`]
        : [],
    ),
});

export const certificateName = certificateCheck('certificate-name', {
  label: 'names of the certificate',
  text: 'use a certificate with the name of the host',
  sentence: (host) => `The certificate of ${host} is for other names`,
});

export const certificateTime = certificateCheck('certificate-time', {
  label: 'dates of the certificate',
  text: 'renew the certificate',
  sentence: (host) => `The certificate of ${host} has expired, or is not valid yet`,
});

export const certificateChain = certificateCheck('certificate-chain', {
  label: 'chain of the certificate',
  text: 'send the intermediate certificates with that of the server',
  sentence: (host) =>
    `The certificate of ${host} does not lead to a public root: intermediates are missing, or its root is private`,
});

export const certificateUntrusted = certificateCheck('certificate-untrusted', {
  label: 'trust in the certificate',
  text: 'use a certificate of a public authority; for a private one: --trust FILE.pem',
  sentence: (host) => `The certificate of ${host} is not trusted`,
});

/** So much of its life is left when authorities advise to renew (Let's Encrypt: a third of 90 days). */
const MIN_LEFT_SHARE = 0.1;

export const certificateEnds: Check = {
  ...about,
  id: 'certificate-ends',
  label: 'days left of the certificate',
  needs: ['tls'],
  severity: 'warning',
  why: 'When it has expired, browsers refuse the connection. Automatic renewal would have replaced it by now.',
  fix: certificateFix('renew the certificate, and find out why that did not happen by itself'),
  run: ({ servers, askedAtUnixMs }) =>
    servers.flatMap(({ origin, tls }) => {
      if (tls?.error !== null || tls.validToUnixMs === null || tls.validFromUnixMs === null) return [];
      const leftMs = tls.validToUnixMs - askedAtUnixMs;
      const isLong = leftMs > MIN_LEFT_SHARE * (tls.validToUnixMs - tls.validFromUnixMs);
      return isLong
        ? []
        : [`The certificate of ${hostOf(origin)} ends in ${formatCount(Math.floor(leftMs / DAY_MS), 'day')}`];
    }),
};

export const noTls13: Check = {
  ...about,
  id: 'no-tls13',
  label: 'TLS 1.3',
  needs: ['tls'],
  severity: 'warning',
  why: 'Each new connection costs one more round trip before the first request. QUIC needs TLS 1.3 in every case.',
  fix: tls13Fix,
  run: (evidence) =>
    connected(evidence).flatMap(({ origin, tls: { version } }) =>
      version === null || version === 'TLSv1.3'
        ? []
        : [`${hostOf(origin)} uses ${version} with a client that offers TLS 1.3`],
    ),
};

export const noH2: Check = {
  ...about,
  id: 'no-h2',
  label: 'h2 over TCP',
  needs: ['tls'],
  severity: 'warning',
  why: 'Over TCP browsers then use http/1.1, with at most six connections for each host and one request at a time on each.',
  fix: h2Fix,
  run: ({ servers }) =>
    servers.flatMap(({ origin, tls }) =>
      tls === null || tls.alpn === 'h2'
        ? []
        : [
            `${hostOf(origin)} does not agree to h2 (${tls.version === null ? tls.error!.sentence : `ALPN: ${tls.alpn ?? 'none'}`})`,
          ],
    ),
};

/** Servers with a TLS connection. */
const connected = ({ servers }: Evidence): (ServerEvidence & { tls: TlsFacts })[] =>
  servers.filter(
    (server): server is ServerEvidence & { tls: TlsFacts } =>
      server.tls !== null && server.tls.version !== null,
  );

export const noTls: Check = {
  ...about,
  id: 'no-tls',
  label: 'https',
  needs: ['answers'],
  severity: 'warning',
  why: 'Browsers use http/1.1 alone without TLS, and a page that was loaded over https may not request these files at all.',
  fix: httpsFix,
  run: ({ servers }) =>
    servers.flatMap(({ origin }) =>
      origin.startsWith('http:') ? [`${hostOf(origin)} is asked over http, without TLS`] : [],
    ),
};
