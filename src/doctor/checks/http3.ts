import { originOf } from '../../analysis/diagnostics/format.ts';
import { answersTo, hostOf, nothing, portOf, readAltSvc } from '../answers.ts';
import type { Check } from '../check.ts';
import type { Evidence, ServerEvidence, Visit } from '../evidence.ts';
import { elsewhere, h3Fix, udpFix } from '../fixes.ts';

const about = { topic: 'http3' } as const;

/** What one server says about HTTP/3, and what a browser found. */
interface Announced {
  readonly host: string;
  readonly port: number;
  /** The header as it is; null where no answer had one. */
  readonly altSvc: string | null;
  readonly h3: ReturnType<typeof readAltSvc>;
  readonly records: ServerEvidence['records'];
  readonly visit: Visit | null;
}

/** Servers over TLS whose answers are known. */
function announcements({ servers, files }: Evidence): Announced[] {
  return servers.flatMap(({ origin, records, visit }) => {
    if (!origin.startsWith('https:')) return [];
    const answers = files.flatMap(answersTo).filter(({ url }) => originOf(url) === origin);
    if (answers.length === 0) return [];
    const altSvc =
      answers.map(({ headers }) => headers['alt-svc'] ?? null).find((each) => each !== null) ?? null;
    const h3 = readAltSvc(altSvc ?? '').filter(({ protocol }) => protocol === 'h3');
    return [{ host: hostOf(origin), port: portOf(origin), altSvc, h3, records, visit }];
  });
}

/** What a handshake that failed leaves open; null where UDP is blocked here, and it says nothing of the server. */
function formatUdp({ browser }: Evidence): string | null {
  const open = browser?.isUdpOpen ?? null;
  if (open === null) return ', or UDP is blocked here: --known URL tells';
  return open ? '; UDP is not blocked here' : null;
}

const usesH3 = ({ visit }: Announced): boolean => visit?.racing.includes('h3') ?? false;

export const noAltSvc: Check = {
  ...about,
  id: 'no-alt-svc',
  label: 'announcement of h3 (Alt-Svc)',
  needs: ['answers', 'quic'],
  severity: 'warning',
  why: 'A browser learns of HTTP/3 from this header (or from DNS) of each host that serves files. Without it, it stays with TCP, although QUIC works.',
  fix: h3Fix('announce h3 on every host that serves files'),
  run: (evidence) =>
    announcements(evidence)
      .filter((each) => each.altSvc === null && each.visit?.quic === 'h3' && !usesH3(each))
      .map(
        ({ host }) =>
          `${host} answers over QUIC, but does not announce it: no Alt-Svc, and the browser stays with TCP`,
      ),
};

export const noH3: Check = {
  ...about,
  id: 'no-h3',
  label: 'HTTP/3',
  needs: ['answers', 'quic'],
  severity: 'note',
  why: 'On networks with loss or long round trips HTTP/3 may help; whether it does for this stream, a comparison shows (pitwall compare).',
  fix: h3Fix('offer HTTP/3, if you want it'),
  run: (evidence) =>
    announcements(evidence)
      .filter(() => evidence.browser?.isUdpOpen !== false)
      .filter(({ altSvc, visit }) => altSvc === null && visit !== null && visit.quic === null)
      .map(({ host }) => `${host} neither announces HTTP/3 nor answers over QUIC`),
};

export const oldAltSvc: Check = {
  ...about,
  id: 'old-alt-svc',
  label: 'versions in Alt-Svc',
  needs: ['answers'],
  severity: 'problem',
  why: 'Browsers know h3 (RFC 9114) and ignore drafts of it, so that they stay with TCP.',
  fix: h3Fix('announce h3'),
  run: (evidence) =>
    announcements(evidence)
      .filter(
        ({ altSvc, h3 }) => altSvc !== null && h3.length === 0 && /(?:^|,)\s*(?:h3-|hq|quic)/.test(altSvc),
      )
      .map(({ host, altSvc }) => `${host} announces no h3 that browsers know (Alt-Svc: ${altSvc})`),
};

export const clearAltSvc: Check = {
  ...about,
  id: 'clear-alt-svc',
  label: 'Alt-Svc: clear',
  needs: ['answers'],
  severity: 'warning',
  why: 'It makes browsers forget that the host offers HTTP/3.',
  fix: h3Fix('announce h3, unless it is switched off on purpose'),
  run: (evidence) =>
    announcements(evidence)
      .filter(({ altSvc }) => altSvc?.trim() === 'clear')
      .map(({ host }) => `${host} sends Alt-Svc: clear`),
};

export const altSvcPort: Check = {
  ...about,
  id: 'alt-svc-port',
  label: 'port in Alt-Svc',
  needs: ['answers', 'quic'],
  severity: 'problem',
  why: 'Browsers send QUIC to the place that the header names. Nobody answers there, so that they stay with TCP, and may try in vain again and again.',
  fix: h3Fix('announce the host and port that clients see from outside'),
  run: (evidence) =>
    // Where UDP is blocked here, or nobody visited, it is not known what a browser gets.
    announcements(evidence)
      .filter(
        (each) =>
          evidence.browser?.isUdpOpen !== false &&
          each.visit !== null &&
          each.h3.length > 0 &&
          !usesH3(each) &&
          !each.h3.some((h3) => isSame(h3, each)),
      )
      .map(
        ({ host, altSvc, port }) =>
          `${host} announces h3 at another place than port ${port} (Alt-Svc: ${altSvc}), and the browser does not get h3 there`,
      ),
};

const isSame = (h3: Announced['h3'][number], { host, port }: Announced): boolean =>
  h3.port === port && (h3.host === '' || h3.host === host.replace(/:\d+$/, ''));

export const noQuic: Check = {
  ...about,
  id: 'no-quic',
  label: 'QUIC handshake',
  needs: ['answers', 'quic'],
  severity: 'problem',
  why: 'Browsers try QUIC first, and go on over TCP. Where the server is reached by some networks only, they lose up to some hundred milliseconds at each new connection.',
  fix: udpFix,
  run(evidence) {
    const where = formatUdp(evidence);
    if (where === null) return [];
    return announcements(evidence)
      .filter((each) => each.visit?.quic === null && each.h3.some((h3) => isSame(h3, each)))
      .map(
        ({ host, visit }) =>
          `${host} announces h3, but does not answer over QUIC (${visit?.quicError ?? 'no answer'})${where}`,
      );
  },
};

export const udpBlocked: Check = {
  ...about,
  id: 'udp-blocked',
  label: 'UDP from here',
  needs: ['quic'],
  severity: 'note',
  why: 'Nothing can be said from here about HTTP/3 of these servers.',
  fix: elsewhere('repeat the check in another network'),
  run: ({ browser }) =>
    browser?.isUdpOpen === false
      ? ['UDP is blocked here: the known server does not answer over QUIC either']
      : [],
};

export const h3NotUsed: Check = {
  ...about,
  id: 'h3-not-used',
  label: 'protocol of an ordinary browser',
  needs: ['answers', 'quic'],
  severity: 'warning',
  why: 'Viewers get what an ordinary browser gets.',
  fix: elsewhere(
    'look at the certificate (QUIC needs one of a public authority), and at a NetLog of the browser (pitwall races)',
  ),
  run: (evidence) =>
    announcements(evidence)
      .filter(
        (each) =>
          each.visit?.racing.length === 0 ||
          (each.visit?.quic === 'h3' && each.h3.some((h3) => isSame(h3, each)) && !usesH3(each)),
      )
      .map(
        ({ host, visit }) =>
          `${host} ${visit!.racing.length === 0 ? 'answers' : 'announces h3 and answers over QUIC'}, but the browser uses ${visit!.racing.join(', then ') || nothing(visit!.racingError!)}`,
      ),
};

/** Chromium forgets an alternative after `ma`; a viewer of yesterday should still know it. */
const MIN_MAX_AGE_S = 3600;

export const shortAltSvc: Check = {
  ...about,
  id: 'short-alt-svc',
  label: 'life of Alt-Svc',
  needs: ['answers'],
  severity: 'warning',
  why: 'A browser forgets the announcement after this time. Its next visit begins over TCP again.',
  fix: h3Fix('announce h3 for a day or longer (ma, in seconds)'),
  run: (evidence) =>
    announcements(evidence)
      .filter(({ h3 }) => h3.length > 0 && h3.every(({ maxAgeSeconds }) => maxAgeSeconds < MIN_MAX_AGE_S))
      .map(({ host, altSvc }) => `${host} announces h3 for less than an hour (Alt-Svc: ${altSvc})`),
};

export const recordPort: Check = {
  ...about,
  id: 'record-port',
  label: 'port of the HTTPS record',
  needs: ['record', 'answers'],
  severity: 'problem',
  why: 'A browser that reads the record first connects to another place than one that reads Alt-Svc.',
  fix: elsewhere('give the HTTPS record in DNS and Alt-Svc the same port'),
  run: (evidence) =>
    announcements(evidence).flatMap(({ host, h3, records, port }) =>
      (records ?? [])
        .filter((record) => record.alpn.includes('h3') && h3.length > 0)
        .filter((record) => !h3.some((each) => each.port === (record.port ?? port)))
        .map(
          (record) =>
            `The HTTPS record of ${host} names port ${record.port ?? port}, Alt-Svc port ${h3[0]!.port}`,
        ),
    ),
};

export const recordAlpn: Check = {
  ...about,
  id: 'record-alpn',
  label: 'protocols of the HTTPS record',
  needs: ['record', 'answers', 'quic'],
  severity: 'warning',
  why: 'A browser that reads the record uses other protocols than one that reads Alt-Svc.',
  fix: elsewhere('name the protocols in the HTTPS record (alpn) that the server offers'),
  run: (evidence) =>
    announcements(evidence).flatMap((each) => {
      const service = (each.records ?? []).filter(({ priority }) => priority > 0);
      if (service.length === 0) return [];
      const inRecord = service.some(({ alpn }) => alpn.includes('h3'));
      const where = formatUdp(evidence);
      if (inRecord && where !== null && each.visit?.quic === null && each.h3.length === 0)
        return [`The HTTPS record of ${each.host} announces h3, but nobody answers over QUIC${where}`];
      return !inRecord && each.h3.length > 0
        ? [`The HTTPS record of ${each.host} does not announce h3, Alt-Svc does`]
        : [];
    }),
};
