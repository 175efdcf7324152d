// What links, and the tests that lose packets, need inside network namespaces.
import { namespaceWay } from './namespaceWay.mjs';
import { aptInstall, canApt, onPath } from './run.mjs';

const PACKAGES = { ip: 'iproute2', nft: 'nftables', tc: 'iproute2' };

/**
 * { ip, nft, tc }, each { path, how } or { path: null, why }. `forImage`: whether namespaces can be made is found out where
 * the image is used, not here.
 */
export function findNetwork(say, { forImage = false } = {}) {
  const absent = Object.keys(PACKAGES).filter((name) => !onPath(name));
  const way = forImage ? null : namespaceWay();
  const usable = way?.kind !== 'none';
  const packages = [...new Set(absent.map((name) => PACKAGES[name]))];
  const refused = usable && absent.length > 0 && canApt() ? aptInstall(packages, say) : null;
  const why = usable
    ? (refused ?? `not installed: run "apt-get install ${packages.join(' ')}" as root`)
    : `emulated links and tests that lose packets are skipped: ${way.why}`;
  return Object.fromEntries(
    Object.keys(PACKAGES).map((name) => {
      const program = usable ? onPath(name) : null;
      return [name, program ? { path: program, how: 'installed' } : { path: null, why }];
    }),
  );
}
