import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '../../node/files.ts';

/** A picture of the page in README and docs, and the sources of what it shows: files and folders. */
interface DocPicture {
  readonly file: string;
  readonly shows: readonly string[];
}

const ALL_VIEWS = ['src/ui/tokens.css', 'src/ui/styles', 'src/charts/chart.ts', 'src/charts/lanes'] as const;

export const LIVE_PICTURE = 'docs/live.png';
export const COMPARE_PICTURE = 'docs/compare.png';

export const DOC_PICTURES: readonly DocPicture[] = [
  {
    file: LIVE_PICTURE,
    shows: [...ALL_VIEWS, 'index.html', 'src/ui/panels', 'src/ui/screen', 'src/charts/shell/chartPanel.css'],
  },
  {
    file: COMPARE_PICTURE,
    shows: [...ALL_VIEWS, 'src/ui/compare', 'src/charts/compare', 'src/charts/shell/compare'],
  },
];

/** Hashes of each picture and of its sources, when it was taken. */
type Stamps = Readonly<Record<string, { readonly sources: string; readonly picture: string } | undefined>>;

const stampFileIn = (root: string): string => path.join(root, 'docs', 'pictures.json');

/** Writes down what the pictures show now. @throws Error in one sentence where one is missing */
export function stampPictures(root: string): void {
  const stamps = DOC_PICTURES.map(({ file, shows }) => [
    file,
    { sources: hashOf(root, shows), picture: hashOf(root, [file]) },
  ]);
  writeAtomically(stampFileIn(root), `${JSON.stringify(Object.fromEntries(stamps), null, 2)}\n`);
}

/** Returns a sentence for each picture that does not show the page as it is; empty: all do. */
export function pictureFaults(root: string): string[] {
  const file = stampFileIn(root);
  const stamps = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stamps) : {};
  return DOC_PICTURES.flatMap(({ file: picture, shows }) => {
    const stamp = stamps[picture];
    if (!existsSync(path.join(root, picture))) return [`${picture}: The picture is missing.`];
    if (stamp?.picture !== hashOf(root, [picture]))
      return [`${picture}: The picture was not taken by this command.`];
    return stamp.sources === hashOf(root, shows)
      ? []
      : [`${picture}: The picture is older than the page (${shows.join(', ')}).`];
  });
}

/** Hash of files, and of the files in folders without tests and without texts for developers. */
function hashOf(root: string, names: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (name: string): void => {
    const place = path.join(root, name);
    if (statSync(place).isDirectory())
      for (const entry of readdirSync(place).sort()) add(path.posix.join(name, entry));
    else if (!/\.test(ing)?\.ts$|\.md$/.test(name)) hash.update(`${name}\0`).update(readFileSync(place));
  };
  names.forEach(add);
  return hash.digest('hex');
}
