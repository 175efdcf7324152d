import type { Fix } from './check.ts';

/**
 * Remedies by product: nginx 1.25.1 and later, Caddy 2, Apache httpd 2.4, HAProxy 2.8 and later, and what the big CDNs call it.
 */
const fix = (text: string, by: readonly [string, string, string, string, string]): Fix => ({
  text,
  by: {
    nginx: by[0],
    Caddy: by[1],
    Apache: by[2],
    HAProxy: by[3],
    CDNs: by[4],
  },
});

/** A remedy outside of servers: in the packager, in DNS, in the address. */
export const elsewhere = (text: string): Fix => ({ text, by: null });

const BEHIND = 'cannot: change the server behind it';
const HEADER_IN_CDNS =
  'CloudFront: a response headers policy; Cloudflare: a response header transform rule; Fastly: set resp.http.… in vcl_deliver';

/** A response header with one value. */
const headerFix = (text: string, name: string, value: string): Fix =>
  fix(text, [
    `add_header ${name} "${value}" always;`,
    `header ${name} "${value}"`,
    `Header always set ${name} "${value}"`,
    `http-response set-header ${name} "${value}"`,
    HEADER_IN_CDNS,
  ]);

const FULL_CHAIN =
  'upload server certificate and chain, or use the certificate that the CDN manages for the name';

/** The certificate of the name, with what leads to a public root. */
export const certificateFix = (text: string): Fix =>
  fix(text, [
    'ssl_certificate fullchain.pem; (the server’s first, then the intermediates) and ssl_certificate_key key.pem;',
    'name the site by its host, and Caddy gets and renews the certificate; or tls fullchain.pem key.pem',
    'SSLCertificateFile fullchain.pem and SSLCertificateKeyFile key.pem',
    'bind :443 ssl crt site.pem (certificate, intermediates and key in one file)',
    FULL_CHAIN,
  ]);

export const tls13Fix = fix('allow TLS 1.3', [
  'ssl_protocols TLSv1.2 TLSv1.3;',
  'has it without a setting: remove an upper limit in tls { protocols … }',
  'SSLProtocol -all +TLSv1.2 +TLSv1.3',
  'remove ssl-max-ver TLSv1.2 of the bind line',
  'choose a security policy with TLS 1.3',
]);

export const httpsFix = fix('serve the stream over https, and link to it there', [
  'listen 443 ssl; with ssl_certificate, and return 301 https://$host$request_uri; on port 80',
  'name the site by its host without http://: https and the redirect come by themselves',
  'SSLEngine on with SSLCertificateFile; Redirect permanent / https://HOST/ on port 80',
  'bind :443 ssl crt site.pem, and http-request redirect scheme https unless { ssl_fc }',
  'switch the redirect to HTTPS on',
]);

export const h2Fix = fix('offer h2 over TLS (ALPN)', [
  'http2 on; beside listen 443 ssl;',
  'has it without a setting: name h2 in servers { protocols h1 h2 h3 }',
  'LoadModule http2_module modules/mod_http2.so and Protocols h2 http/1.1',
  'bind :443 ssl crt site.pem alpn h2,http/1.1',
  'switch HTTP/2 on (CloudFront: supported HTTP versions of the distribution)',
]);

const NO_H3_IN_APACHE = 'cannot: Apache httpd has no HTTP/3; put a server or CDN that has it in front';
const H3_IN_CDNS =
  'switch HTTP/3 on (Cloudflare: HTTP/3 (with QUIC); CloudFront: supported HTTP versions of the distribution)';

/** HTTP/3 and its announcement. */
export const h3Fix = (text: string): Fix =>
  fix(text, [
    `listen 443 quic reuseport; beside listen 443 ssl; and add_header Alt-Svc 'h3=":443"; ma=86400' always;`,
    'has it without a setting: name h3 in servers { protocols h1 h2 h3 }, and do not remove Alt-Svc; for another public port: header Alt-Svc `h3=":443"; ma=86400`',
    NO_H3_IN_APACHE,
    `bind quic4@:443 ssl crt site.pem alpn h3 and http-after-response set-header alt-svc 'h3=":443"; ma=86400'`,
    H3_IN_CDNS,
  ]);

export const udpFix = fix(
  'let UDP reach the port that Alt-Svc names (firewall, security group, load balancer, container)',
  [
    'listen 443 quic reuseport; in a container also publish 443/udp',
    'listens on UDP without a setting; in a container also publish 443/udp',
    NO_H3_IN_APACHE,
    'bind quic4@:443 ssl crt site.pem alpn h3; in a container also publish 443/udp',
    'nothing: the CDN listens; if it answers elsewhere, the network here blocks UDP',
  ],
);

export const corsFix = headerFix('let pages read the files', 'Access-Control-Allow-Origin', '*');

/** Replaces what is sent: of two values browsers accept none. */
export const corsOnceFix = fix('send Access-Control-Allow-Origin once, in place of what is sent', [
  'proxy_hide_header Access-Control-Allow-Origin; and one add_header Access-Control-Allow-Origin "*" always; in place of others',
  'header Access-Control-Allow-Origin "*", and header_down -Access-Control-Allow-Origin in reverse_proxy',
  'Header onsuccess unset Access-Control-Allow-Origin, and Header always set Access-Control-Allow-Origin "*"',
  'http-response set-header Access-Control-Allow-Origin "*" (set replaces, add does not)',
  'let the policy override the origin’s header',
]);

export const varyFix = fix('send Vary: Origin with an Access-Control-Allow-Origin that names a page', [
  'add_header Vary Origin always;',
  'header +Vary Origin',
  'Header always merge Vary Origin',
  'http-response add-header Vary Origin',
  'put the request header Origin into the cache key, or answer with *',
]);

export const preflightFix = fix('answer OPTIONS with 2xx and the allowed headers', [
  'in location: if ($request_method = OPTIONS) { add_header Access-Control-Allow-Origin "*"; add_header Access-Control-Allow-Headers "*"; return 204; }',
  'header Access-Control-Allow-Headers "*", and @preflight method OPTIONS with respond @preflight 204',
  'Header always set Access-Control-Allow-Headers "*", and RewriteCond %{REQUEST_METHOD} OPTIONS with RewriteRule .* - [R=204,L]',
  'http-request return status 204 hdr Access-Control-Allow-Origin "*" hdr Access-Control-Allow-Headers "*" if METH_OPTIONS',
  'allow the method OPTIONS, and set Access-Control-Allow-Headers in the policy for CORS',
]);

export const maxAgeFix = headerFix('let browsers keep the preflight', 'Access-Control-Max-Age', '7200');
export const timingFix = headerFix('let pages read times and protocols', 'Timing-Allow-Origin', '*');
export const exposeFix = headerFix(
  'let pages read the headers',
  'Access-Control-Expose-Headers',
  'Content-Range, Server-Timing, CMSD-Static, CMSD-Dynamic',
);

export const errorHeadersFix = fix('send the CORS headers with errors, too', [
  'add the word always to add_header',
  'header without > and without defer: it is then sent with errors, too',
  'Header always set instead of Header set',
  'http-after-response set-header instead of http-response (also for answers of HAProxy itself)',
  'let the policy apply to error pages',
]);

export const rangesFix = fix('answer byte ranges with 206 and a right Content-Range', [
  'has it for files; for what is proxied: proxy_force_ranges on;',
  'file_server has it; do not pass media through encode or templates',
  'has it for files: remove MaxRanges none and Header unset Accept-Ranges',
  BEHIND,
  'let the origin send Content-Length, and cache the files',
]);

export const validatorFix = fix('send ETag or Last-Modified, and answer a condition with 304', [
  'etag on; (files have both)',
  'file_server has both: remove header -Etag and header -Last-Modified',
  'FileETag MTime Size',
  BEHIND,
  'do not remove the origin’s ETag',
]);

export const sameEtagFix = fix('give one file one ETag on all servers', [
  'is made of time and size: copy files with their times (rsync -t)',
  'is made of time and size: copy files with their times (rsync -t)',
  'FileETag MTime Size (without INode), and copy files with their times',
  BEHIND,
  'use one origin, or the same ETags on all',
]);

/** Only for answers that are right: a 404 of a live segment that was asked for too early must not be kept. */
const cacheFix = (text: string, value: string): Fix =>
  fix(text, [
    `proxy_hide_header Cache-Control; and add_header Cache-Control "${value}"; without always`,
    `header Cache-Control "${value}", and handle_errors { header Cache-Control no-store }`,
    `Header set Cache-Control "${value}"`,
    `http-response set-header Cache-Control "${value}" if { status 200 206 }`,
    HEADER_IN_CDNS,
  ]);

export const cacheMediaFix = cacheFix(
  'let caches keep media segments, whose bytes never change under one address',
  'public, max-age=31536000, immutable',
);
export const cacheLiveFix = cacheFix(
  'let caches keep a live manifest for less than half of a segment',
  'public, max-age=1',
);

export const plainMediaFix = fix('do not compress media', [
  'gzip_types without video/*, audio/* and application/octet-stream',
  'encode without match leaves media alone: remove media types from match',
  'SetEnvIfNoCase Request_URI "\\.(m4s|mp4|ts)$" no-gzip',
  'compression type text/html application/dash+xml (without media types)',
  'compress by type, not everything',
]);

export const compressManifestFix = fix('compress manifests', [
  'gzip on; gzip_proxied any; gzip_types application/dash+xml application/vnd.apple.mpegurl;',
  'encode { gzip, match { header Content-Type application/dash+xml*, header Content-Type application/vnd.apple.mpegurl* } } (each on a line of its own)',
  'AddOutputFilterByType DEFLATE application/dash+xml application/vnd.apple.mpegurl',
  'compression algo gzip and compression type application/dash+xml application/vnd.apple.mpegurl',
  'add the two types to those that are compressed',
]);

export const lengthFix = fix('send Content-Length with files', [
  'has it for files; for what it compresses: gzip off;',
  'file_server has it; do not pass media through encode or templates',
  'has it for files: no output filter (DEFLATE, INCLUDES) for media',
  BEHIND,
  'do not compress media at the edge',
]);

export const typeFix = fix('send the registered Content-Type', [
  'types { application/dash+xml mpd; application/vnd.apple.mpegurl m3u8; video/iso.segment m4s; } beside include mime.types;',
  '@mpd path *.mpd with header @mpd Content-Type application/dash+xml',
  'AddType application/dash+xml .mpd and AddType application/vnd.apple.mpegurl .m3u8',
  BEHIND,
  'set the type where the file is stored (S3: Content-Type of the object)',
]);

export const notFoundFix = fix('answer a missing file with 404, not with a web page', [
  'try_files $uri =404; in the location of the media',
  'no try_files … /index.html for the paths of the media',
  'FallbackResource disabled in the folder of the media',
  BEHIND,
  'no error page with status 200 (CloudFront: custom error responses)',
]);
