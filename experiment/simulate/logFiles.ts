import path from 'node:path';

interface Names {
  readonly ruleNames: readonly string[];
  readonly traceNames: readonly string[];
}

/**
 * Files of session logs in a folder, `[rule][trace]`. Signs that a file system may not like become "_". No two are the
 * same, also where large letters are as good as small ones: a later one gets a number.
 */
export function logFiles(folder: string, { ruleNames, traceNames }: Names): string[][] {
  const taken = new Set<string>();
  const unique = (name: string, count = 1): string => {
    const numbered = count === 1 ? name : `${name}~${count}`;
    if (taken.has(numbered.toLowerCase())) return unique(name, count + 1);
    taken.add(numbered.toLowerCase());
    return numbered;
  };
  return ruleNames.map((rule) =>
    traceNames.map((trace) => path.join(folder, `${unique(plainName(rule, trace))}.json`)),
  );
}

/** Signs of a rule's and of a trace's name that are kept, the last ones: paths differ there. File systems take 255 bytes. */
const MAX_SIGNS = 100;

function plainName(ruleName: string, traceName: string): string {
  const [rule, trace] = [ruleName, traceName.replace(/\.json$/, '')].map((name) =>
    name.slice(-MAX_SIGNS).replace(/[^\p{L}\p{N}_.,=~+-]/gu, '_'),
  );
  return `${rule!}~${trace!}`;
}
