// What the tests need to lose packets inside a path of network namespaces.
import { aptInstall, canApt, isRoot, onPath } from './run.mjs';

const PACKAGES = { ip: 'iproute2', nft: 'nftables', tc: 'iproute2' };

/** { ip, nft, tc }, each { path, how } or { path: null, why }. */
export function findNetwork(say) {
  const absent = Object.keys(PACKAGES).filter((name) => !onPath(name));
  const usable = process.platform === 'linux' && isRoot();
  const refused =
    usable && absent.length > 0 && canApt()
      ? aptInstall([...new Set(absent.map((name) => PACKAGES[name]))], say)
      : null;
  const why = usable
    ? (refused ?? 'not installed')
    : 'tests that lose packets need Linux and root, so they are skipped';
  return Object.fromEntries(
    Object.keys(PACKAGES).map((name) => {
      const program = usable ? onPath(name) : null;
      return [name, program ? { path: program, how: 'installed' } : { path: null, why }];
    }),
  );
}
