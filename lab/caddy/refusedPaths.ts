/** What of a folder Caddy must not serve: it follows every link, and has no switch for that. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

interface Found {
  /** Below the folder, with slashes. */
  readonly refused: Set<string>;
  /** From links to the folders within that they lead to. */
  readonly folderLinks: Map<string, string>;
}

/**
 * Paths below a folder, as they are at this moment: links that lead out of it, to what is hidden (a name that begins with a dot)
 * or nowhere; links to a folder in which one of these is; and what is no file. Below a hidden folder nothing is looked for.
 */
export function refusedPaths(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const root = realpathSync(folder);
  const found: Found = { refused: new Set(), folderLinks: new Map() };
  look(root, '', found);
  // Each link that is refused may lie in a folder that another link leads to.
  const hasRefused = (target: string): boolean =>
    [...found.refused].some((each) => target === '' || each === target || each.startsWith(`${target}/`));
  for (let before = -1; before !== found.refused.size;) {
    before = found.refused.size;
    for (const [link, target] of found.folderLinks) if (hasRefused(target)) found.refused.add(link);
  }
  return [...found.refused].sort();
}

function look(root: string, below: string, found: Found): void {
  for (const entry of readdirSync(path.join(root, below), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const own = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) lookInto(root, own, found);
    else if (entry.isSymbolicLink()) lookAtLink(root, own, found);
    else if (!entry.isFile()) found.refused.add(own);
  }
}

/** What we may not read, Caddy may not either: it runs as the same user. */
function lookInto(root: string, own: string, found: Found): void {
  try {
    look(root, own, found);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    found.refused.add(own);
  }
}

function lookAtLink(root: string, own: string, { refused, folderLinks }: Found): void {
  const target = targetOf(root, own);
  if (target === null || target.split(path.sep).some((name) => name.startsWith('.'))) refused.add(own);
  else if (statSync(path.join(root, target)).isDirectory())
    folderLinks.set(own, target.split(path.sep).join('/'));
  else if (!statSync(path.join(root, target)).isFile()) refused.add(own);
}

/** Relative to the root, beginning with `..` outside of it; null where the link leads nowhere. */
function targetOf(root: string, own: string): string | null {
  try {
    const target = path.relative(root, realpathSync(path.join(root, own)));
    return path.isAbsolute(target) ? null : target;
  } catch {
    return null;
  }
}
