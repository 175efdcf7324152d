/**
 * The rules of HAR 1.2 (w3c.github.io/web-performance/specs/HAR/Overview.html, §§ log, pages, entries, request, response,
 * content, cache, timings), one sentence per breach. Stricter than its published JSON schemas: sizes may be -1 and no other
 * number below 0, phases add up, and names that the standard has not begin with an underscore.
 */
export function faultsOfHar(value: unknown): string[] {
  const faults: string[] = [];
  const { log } = shaped(value, 'har', { log: 'object' }, faults);
  const { pages, entries, creator, version, browser } = shaped(log, 'log', LOG, faults);
  if (version !== '1.2') faults.push('log.version is not 1.2');
  shaped(creator, 'creator', NAMED, faults);
  if (browser !== undefined) shaped(browser, 'browser', NAMED, faults);
  const ids = ((pages ?? []) as unknown[]).map((page, at) => {
    const { startedDateTime, id, pageTimings } = shaped(page, `pages/${at}`, PAGE, faults);
    isTime(startedDateTime, `pages/${at}`, faults);
    shaped(pageTimings, `pages/${at}/pageTimings`, { onContentLoad: 'number?', onLoad: 'number?' }, faults);
    return id;
  });
  if (new Set(ids).size !== ids.length) faults.push('two pages have one id');
  ((entries ?? []) as unknown[]).forEach((entry, at) => checkEntry(entry, `entries/${at}`, { ids, faults }));
  return faults;
}

type Shape = Readonly<Record<string, string>>;

const NAMED: Shape = { name: 'string', version: 'string', comment: 'string?' };
const PAIR: Shape = { name: 'string', value: 'string', comment: 'string?' };
const LOG: Shape = {
  version: 'string',
  creator: 'object',
  browser: 'object?',
  pages: 'list?',
  entries: 'list',
  comment: 'string?',
};
const PAGE: Shape = {
  startedDateTime: 'string',
  id: 'string',
  title: 'string',
  pageTimings: 'object',
  comment: 'string?',
};
const ENTRY: Shape = {
  pageref: 'string?',
  startedDateTime: 'string',
  time: 'number',
  request: 'object',
  response: 'object',
  cache: 'object',
  timings: 'object',
  serverIPAddress: 'string?',
  connection: 'string?',
  comment: 'string?',
};
const MESSAGE: Shape = {
  httpVersion: 'string',
  cookies: 'list',
  headers: 'list',
  headersSize: 'integer',
  bodySize: 'integer',
  comment: 'string?',
};
const REQUEST: Shape = {
  ...MESSAGE,
  method: 'string',
  url: 'string',
  queryString: 'list',
  postData: 'object?',
};
const RESPONSE: Shape = {
  ...MESSAGE,
  status: 'integer',
  statusText: 'string',
  content: 'object',
  redirectURL: 'string',
};
const CONTENT: Shape = {
  size: 'integer',
  compression: 'integer?',
  mimeType: 'string',
  text: 'string?',
  encoding: 'string?',
  comment: 'string?',
};
const TIMINGS: Shape = {
  blocked: 'number?',
  dns: 'number?',
  connect: 'number?',
  send: 'number',
  wait: 'number',
  receive: 'number',
  ssl: 'number?',
  comment: 'string?',
};

function checkEntry(
  value: unknown,
  at: string,
  { ids, faults }: { ids: readonly unknown[]; faults: string[] },
): void {
  const entry = shaped(value, at, ENTRY, faults);
  isTime(entry['startedDateTime'], at, faults);
  if (entry['pageref'] !== undefined && !ids.includes(entry['pageref']))
    faults.push(`${at}/pageref names no page`);
  const request = shaped(entry['request'], `${at}/request`, REQUEST, faults);
  if (!URL.canParse(String(request['url']))) faults.push(`${at}/request/url is no address`);
  const response = shaped(entry['response'], `${at}/response`, RESPONSE, faults);
  const content = shaped(response['content'], `${at}/response/content`, CONTENT, faults);
  for (const pair of [request['headers'], request['queryString'], response['headers']].flat())
    shaped(pair, `${at}: a named value`, PAIR, faults);
  const sizes = { ...pickSizes(request), ...pickSizes(response, 'response'), content: content['size'] };
  for (const [name, size] of Object.entries(sizes))
    if ((size as number) < -1) faults.push(`${at}/${name} is ${String(size)}`);
  checkTimings(entry, at, faults);
}

const pickSizes = (
  { headersSize, bodySize }: Record<string, unknown>,
  of = 'request',
): Record<string, unknown> => ({
  [`${of}/headersSize`]: headersSize,
  [`${of}/bodySize`]: bodySize,
});

function checkTimings(entry: Record<string, unknown>, at: string, faults: string[]): void {
  const timings = shaped(entry['timings'], `${at}/timings`, TIMINGS, faults) as Record<string, number>;
  for (const must of ['send', 'wait', 'receive'])
    if (!(timings[must]! >= 0)) faults.push(`${at}/timings/${must} is ${timings[must]}`);
  for (const may of ['blocked', 'dns', 'connect', 'ssl'])
    if (!isPhase(timings[may])) faults.push(`${at}/timings/${may} is ${timings[may]}`);
  if (timings['ssl']! > timings['connect']!) faults.push(`${at}: ssl is longer than connect`);
  const phases = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'].map((name) =>
    Math.max(0, timings[name] ?? 0),
  );
  const sum = phases.reduce((all, ms) => all + ms, 0);
  if (Math.abs(sum - (entry['time'] as number)) > 1e-6)
    faults.push(`${at}: phases are ${sum} ms of ${String(entry['time'])}`);
}

/** -1 is "does not apply". */
const isPhase = (ms: number | undefined): boolean => ms === undefined || ms === -1 || ms >= 0;

/** ISO 8601 with a zone. */
function isTime(value: unknown, at: string, faults: string[]): void {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)$/.test(value))
    faults.push(`${at}/startedDateTime is ${String(value)}`);
}

/** The object, held to its shape: a name with a question mark behind its type may be left out, never null. */
function shaped(value: unknown, at: string, shape: Shape, faults: string[]): Record<string, unknown> {
  if (typeOf(value) !== 'object') {
    faults.push(`${at} is no object`);
    return {};
  }
  const fields = value as Record<string, unknown>;
  for (const [name, type] of Object.entries(shape)) {
    const isFree = type.endsWith('?') && fields[name] === undefined;
    if (!isFree && !fits(fields[name], type.replace('?', ''))) faults.push(`${at}/${name} is no ${type}`);
  }
  for (const name of Object.keys(fields))
    if (!(name in shape) && !name.startsWith('_')) faults.push(`${at}/${name} is no name of HAR`);
  return fields;
}

const fits = (value: unknown, type: string): boolean =>
  typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer');

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number')
    return Number.isInteger(value) ? 'integer' : Number.isFinite(value) ? 'number' : 'NaN';
  return value === null ? 'null' : typeof value;
}
