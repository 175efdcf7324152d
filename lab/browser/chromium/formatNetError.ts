/** What is known of a request that failed in Chromium. */
interface FailedRequest {
  /** Error in the words of DevTools: `net::ERR_NAME_NOT_RESOLVED`. */
  readonly errorText: string;
  /** Whether QUIC was forced, so that nothing else was tried. */
  readonly isQuicForced: boolean;
  readonly url: string;
}

/**
 * Why a server did not answer, for people, with Chromium's own name of it (net/base/net_error_list.h). A failure that is not
 * listed is that name alone.
 */
export function formatNetError({ errorText, isQuicForced, url }: FailedRequest): string {
  const name = errorText.replace(/^net::/, '');
  const { hostname, host } = new URL(url);
  const words =
    CAUSES.find(([pattern]) => pattern.test(name))?.[1]({ hostname, host }) ??
    (isQuicForced ? NO_QUIC : null);
  return words === null ? name : `${words} (${name})`;
}

interface Named {
  readonly hostname: string;
  readonly host: string;
}

const NO_QUIC =
  'no answer over QUIC: UDP does not get through, nobody serves HTTP/3 there, or its certificate has no public root';

const CAUSES: readonly (readonly [RegExp, (named: Named) => string])[] = [
  [/^ERR_NAME_/, ({ hostname }) => `the name ${hostname} is not found`],
  [/^ERR_QUIC_/, () => NO_QUIC],
  [/^ERR_CERT_|^ERR_SSL_PINNED/, ({ hostname }) => `the server’s certificate is not trusted for ${hostname}`],
  [/^ERR_SSL_/, ({ host }) => `${host} offers no TLS that the browser accepts: is it an http address?`],
  [/^ERR_CONNECTION_REFUSED$/, ({ host }) => `refused: nobody listens on ${host}`],
  [/^ERR_(?:CONNECTION_)?TIMED_OUT$/, ({ host }) => `no answer from ${host} in time`],
  [
    /^ERR_(?:CONNECTION_(?:RESET|CLOSED|ABORTED)|EMPTY_RESPONSE)$/,
    () => 'the connection was closed without an answer',
  ],
  [
    /^ERR_(?:ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED|NETWORK_)/,
    ({ host }) => `no network route to ${host}`,
  ],
  [
    /^ERR_BLOCKED_BY_LOCAL_NETWORK|^ERR_BLOCKED_BY_PRIVATE_NETWORK/,
    () => 'the browser does not let pages request addresses of this machine or its local network',
  ],
  [/^ERR_INVALID_HTTP_RESPONSE$/, ({ host }) => `the answer of ${host} is not HTTP`],
  [/^ERR_TOO_MANY_REDIRECTS$/, () => 'the server redirects in a circle'],
];
