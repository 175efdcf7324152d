import type { CompareLink } from './compareLink.ts';
import { listedLogs } from './listedLogs.ts';
import { fetched, linkedSource, type LogSource } from './logSource.ts';

/** The logs that a link names, those of its lists first. A list that cannot be read is a sentence. */
export async function linkedSources(
  { logs, lists }: Pick<CompareLink, 'logs' | 'lists'>,
  base: string,
): Promise<{ sources: LogSource[]; faults: string[] }> {
  const sources: LogSource[] = [];
  const faults: string[] = [];
  for (const list of lists) {
    const url = URL.parse(list, base);
    const body = await fetched(url);
    const listed = body.ok ? listedLogs(await body.value.text(), url!.href) : body;
    if (listed.ok)
      sources.push(...listed.value.map((address) => linkedSource(withoutOrigin(address, base), base)));
    else faults.push(`${list} was not opened. ${listed.error}`);
  }
  sources.push(...logs.map((address) => linkedSource(address, base)));
  return { sources, faults };
}

/** Short for a link, where a log lies on the page's own origin. */
const withoutOrigin = (address: string, base: string): string => {
  const { origin } = new URL(base);
  return address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
};
