/** Variables that give browsers a proxy (Chromium: net/proxy_resolution/proxy_config_service_linux.cc), for any URL or one scheme. */
const FOR_ALL = ['auto_proxy', 'all_proxy', 'socks_server'];

/** Reached without a proxy in every case (Chromium: net/docs/proxy.md, "Implicit bypass rules"). */
const LOOPBACK = /^(?:(?:.*\.)?localhost|127\..*|\[::1\])$/;

/**
 * Finds the variable of the environment that puts a proxy between a browser and the server of a URL; null: there is none. An
 * entry of `no_proxy` stands for all names that end like it.
 */
export function proxyVariableFor(
  url: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  const { hostname, protocol } = new URL(url);
  const spellings = (name: string): string[] => [name, name.toUpperCase()];
  const valueOf = (name: string): string =>
    spellings(name)
      .map((each) => environment[each])
      .find(Boolean) ?? '';
  const direct = valueOf('no_proxy')
    .split(/[\s,;]+/)
    .filter((entry) => entry !== '')
    .map((entry) => entry.replace(/^\*/, '').replace(/:\d+$/, ''));
  if (LOOPBACK.test(hostname) || direct.some((end) => hostname.endsWith(end))) return null;
  return (
    [`${protocol.slice(0, -1)}_proxy`, ...FOR_ALL].flatMap(spellings).find((name) => environment[name]) ??
    null
  );
}
