// Which code this is: the version of package.json and, in a checkout, the commit.
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** What can change how a session is played or recorded. Docs, results and tests of the whole can not. */
const CODE = [
  ...['src', 'public', 'index.html', 'vite.config.ts', 'package.json', 'package-lock.json'],
  ...['experiment', 'lab', 'node', 'cli', 'setup', 'bin'],
];

/** The version of package.json. @param {string} root @returns {string} */
export const packageVersion = (root) =>
  JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;

/**
 * The build metadata of the version (semver.org, 10): `+g` and ten digits of the commit, `.dirty` after it when files of the
 * code differ from it. Without git, or where `root` is no checkout of its own: PITWALL_COMMIT, which an image of a container sets;
 * else empty. @throws Error in one sentence when that is no commit
 * @param {string} root
 */
export function buildMetadata(root) {
  const [top, commit] = git(root, 'rev-parse', '--show-toplevel', 'HEAD')?.split('\n') ?? [];
  // A folder inside another repository has the commit of something else.
  if (!commit || realpathSync(top) !== realpathSync(root)) return statedCommit();
  // New files that nobody imports change nothing; those that are imported have changed another one.
  const changes = git(root, 'status', '--porcelain', '--untracked-files=no', '--', ...CODE);
  return `+g${commit.slice(0, 10)}${changes ? '.dirty' : ''}`;
}

const STATED = /^([\da-f]{10,64})(\.dirty)?$/;

function statedCommit(stated = process.env.PITWALL_COMMIT ?? '') {
  if (stated === '') return '';
  const [, commit, dirty = ''] = STATED.exec(stated) ?? [];
  if (!commit)
    throw new Error(
      `PITWALL_COMMIT is "${stated}", but a commit is expected: 10 or more of the digits 0 to 9 and a to f, and perhaps ".dirty".`,
    );
  return `+g${commit.slice(0, 10)}${dirty}`;
}

/**
 * What git prints; null where it fails, or is not there. Its index stays as it is: another git may hold its lock. A checkout of
 * another owner is asked as well (in a container, or by root): its code runs here already.
 */
function git(root, ...args) {
  const safe = `safe.directory=${realpathSync(root)}`;
  const { status, stdout } = spawnSync('git', ['-c', safe, '--no-optional-locks', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}
