// An ffmpeg that can make the demo stream, and a font to write into its pictures.
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { aptInstall, canApt, isProgram, onPath, run } from './run.mjs';

const NEEDED = { encoders: ['libvpx-vp9', 'libopus'], filters: ['drawtext'] };

/** { path, how } or { path: null, why }. */
export function findFfmpeg(root) {
  const candidates = [
    { path: process.env.PITWALL_FFMPEG ?? null, how: 'PITWALL_FFMPEG' },
    { path: onPath('ffmpeg'), how: 'on the PATH' },
    { path: packaged(root), how: 'from the npm package' },
  ].filter((each) => each.path && existsSync(each.path));
  const able = candidates.find((each) => lacks(each.path).length === 0);
  if (able) return able;
  const [first] = candidates;
  const why = first ? `the ffmpeg ${first.how} lacks ${lacks(first.path).join(', ')}` : 'there is no ffmpeg';
  return { path: null, why: `${why}: install ffmpeg with libvpx and libopus` };
}

function lacks(program) {
  return Object.entries(NEEDED).flatMap(([kind, names]) => {
    const known = run(program, ['-hide_banner', `-${kind}`]).out;
    return names.filter((name) => !new RegExp(`\\s${name}\\s`).test(known));
  });
}

function packaged(root) {
  const folder = path.join(root, 'node_modules', '@ffmpeg-installer');
  const name = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  const file = path.join(folder, `${process.platform}-${process.arch}`, name);
  if (!existsSync(file)) return null;
  // The package makes it executable in an install script, which careful npm settings do not run.
  if (!isProgram(file)) chmodSync(file, 0o755);
  return file;
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
