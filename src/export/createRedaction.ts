import { redactText } from '../telemetry/redactUrl.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** Removes what names a machine, its users or its network. The same name has the same stand-in in all texts of a redaction. */
export interface Redaction {
  text(text: string): string;
  /** A session log that is otherwise equal, with its machine numbered and all its texts redacted. */
  log(log: SessionLog): SessionLog;
}

/** A part of a path, with up to twelve spaces, before its separator; then the last one, whose spaces a file's ending shows, or a code of Node. */
const PART = String.raw`[^\s\\/"<>:?|*]+(?: +[^\s\\/"<>:?|*]+){0,12}(?<!\()[\\/]+`;
const IN_WORD = String.raw`(?:[^\s\\/"'<>():;,?#|*]|\([^\s\\/()]*\)|[,;](?=[^\s,;]))`;
const LAST = String.raw`${IN_WORD}*(?:(?: ${IN_WORD}+){1,12}?(?:(?<=\.[A-Za-z]\w{0,4})|(?= E[A-Z]{3})))?(?::\d+)*`;
const ROOT = String.raw`file:\/\/\/?|(?<![\p{L}\w])[A-Za-z]:(?:\\|\/(?!\/))|\\\\|(?<=\/@fs)\/`;
/**
 * Absolute paths of POSIX (at least two parts) and Windows that are not the path of a URL, and those below Vite's `/@fs`. One in
 * quotes ends with them. Where words follow a path, some may go with it: nothing of a name is to stay.
 */
const PATHS = new RegExp(
  String.raw`(?<=(["']))(?:${ROOT}|\/[^\n/"]+\/)[^\n"]*?(?=\1(?!\w))|(?:${ROOT}|(?<![\p{L}\w.:/*\]>-])\/(?=${PART}))[\\/]*(?:${PART})*${LAST}`,
  'gu',
);
/** After the codes of Node (`dns`) for a name that was not found. */
const UNFOUND = /(?<=\b(?:ENOTFOUND|EAI_\w+|getaddrinfo E\w+) )[\p{L}\w-]+(?:\.[\p{L}\w-]+)*/gu;
const URL_HOST = /(\b[a-z][a-z0-9+.-]*:\/\/)(\[[^\]\s]*\]|[^/:?#\s"'<>\\]+)/gi;
const IPV4 = /(?<![\w./-])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/;
/** Global, unique local (RFC 4193) and link-local ones. */
const IPV6 = /(?<![\w:])(?:f[cd][\da-f]{2}|fe[89ab][\da-f]|[23][\da-f]{3})(?::[\da-f]{0,4}){2,7}(?:%\w+)?/;
const MAC = /(?<![\w:])[\da-f]{2}(?::[\da-f]{2}){5}(?![\w:])/;
/** Names that no public resolver knows (RFC 6762, RFC 8375, and what routers give). */
const LOCAL_NAME =
  /\b[\w-]+(?:\.[\w-]+)*\.(?:local|localdomain|lan|internal|intranet|corp|home|home\.arpa)\b(?!\.\w|\()/;
const NAMES = new RegExp([IPV4, IPV6, MAC, LOCAL_NAME].map(({ source }) => source).join('|'), 'gi');
const IS_NAME = new RegExp(`^\\[?(?:${NAMES.source})\\]?$`, 'i');

/** Loopback, names and addresses for tests and documentation (RFC 2606, RFC 5737), which the lab uses: they are the same everywhere. */
const EVERYWHERE =
  /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+|.*\.(?:localhost|test|invalid|example))$/i;

const isPrivate = (host: string): boolean =>
  !EVERYWHERE.test(host) && (IS_NAME.test(host) || !host.includes('.'));

export function createRedaction(): Redaction {
  const numbers = { machine: new Map<string, number>(), host: new Map<string, number>() };
  const numberOf = (kind: keyof typeof numbers, name: string): number => {
    const known = numbers[kind];
    if (!known.has(name)) known.set(name, known.size + 1);
    return known.get(name)!;
  };
  const standIn = (host: string): string =>
    isPrivate(host) ? `private-${numberOf('host', host.toLowerCase())}.invalid` : host;
  const text = (given: string): string =>
    redactText(given)
      .replace(PATHS, '<path>')
      .replace(URL_HOST, (_all, scheme: string, host: string) => scheme + standIn(host))
      .replace(UNFOUND, standIn)
      .replace(NAMES, standIn);
  return {
    text,
    log(log) {
      const { machine } = log.environment;
      const id = machine?.id === undefined ? {} : { id: `machine-${numberOf('machine', machine.id)}` };
      const environment = { ...log.environment, ...(machine && { machine: { ...machine, ...id } }) };
      const redacted = JSON.stringify({ ...log, environment }, (_key, value: unknown) =>
        typeof value === 'string' ? text(value) : value,
      );
      return JSON.parse(redacted) as SessionLog;
    },
  };
}
