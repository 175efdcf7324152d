import type { StreamFacts } from '../../doctor/evidence.ts';

/** What an MPD names, as far as a page asks for it. */
export interface NamedByMpd extends Pick<StreamFacts, 'isLive' | 'updateSeconds' | 'types'> {
  readonly clocks: readonly { readonly scheme: string; readonly value: string }[];
  /** A file of each level; of a live stream its init segment, which does not go. */
  readonly levels: readonly { readonly what: string; readonly url: string }[];
}

/** Reads an MPD at `url` with the browser's own parser, which runs nothing. @throws Error in one sentence */
export function readMpd(text: string, url: string): NamedByMpd {
  const root = new DOMParser().parseFromString(text, 'application/xml').documentElement;
  if (root.querySelector('parsererror') || root.localName === 'parsererror')
    throw new Error('The MPD is no XML');
  if (root.localName !== 'MPD') throw new Error(`What is there is no MPD, but <${root.localName}>`);
  const isLive = root.getAttribute('type') === 'dynamic';
  const representations = [...root.getElementsByTagNameNS('*', 'Representation')];
  if (representations.length === 0) throw new Error('The MPD has no levels');
  const levels = representations.flatMap((level) => {
    const kbps = Math.round(Number(level.getAttribute('bandwidth')) / 1000);
    const what = `level ${level.getAttribute('id') ?? '?'} (${kbps} kbit/s)`;
    const file = fileOf(level, url, isLive);
    return file === null ? [] : [{ what, url: file }];
  });
  return {
    isLive,
    updateSeconds: secondsOf(root.getAttribute('minimumUpdatePeriod')),
    types: [...new Set(representations.flatMap((level) => typeOf(level) ?? []))],
    clocks: [...root.getElementsByTagNameNS('*', 'UTCTiming')].map((clock) => ({
      scheme: clock.getAttribute('schemeIdUri') ?? '',
      value: clock.getAttribute('value') ?? '',
    })),
    levels,
  };
}

/** The element and those around it, innermost first. */
function* around(element: Element): Iterable<Element> {
  for (let each: Element | null = element; each !== null; each = each.parentElement) yield each;
}

const childOf = (element: Element, name: string): Element | null =>
  [...element.children].find(({ localName }) => localName === name) ?? null;

/** An attribute of the element, or of one around it. */
function inherited(element: Element, name: string): string | null {
  for (const each of around(element)) {
    const value = each.getAttribute(name);
    if (value !== null) return value;
  }
  return null;
}

function typeOf(level: Element): string | null {
  const [type, codecs] = [inherited(level, 'mimeType'), inherited(level, 'codecs')];
  return type !== null && codecs !== null && /^(video|audio)\//.test(type)
    ? `${type}; codecs="${codecs}"`
    : null;
}

/** Address of a file of a level (ISO/IEC 23009-1, 5.3.9 and 5.6); null where it cannot be told. */
function fileOf(level: Element, manifestUrl: string, isLive: boolean): string | null {
  const bases = [...around(level)].reverse().flatMap((each) => childOf(each, 'BaseURL')?.textContent ?? []);
  const base = bases.reduce<string | null>(
    (at, text) => (at === null ? null : (URL.parse(text.trim(), at)?.href ?? null)),
    manifestUrl,
  );
  const place = placeOf(level, isLive);
  return base === null || place === null ? null : (URL.parse(place, base)?.href ?? null);
}

/** Address relative to the base; '' for the base itself. */
function placeOf(level: Element, isLive: boolean): string | null {
  const templates = [...around(level)].flatMap((each) => childOf(each, 'SegmentTemplate') ?? []);
  const lists = [...around(level)].flatMap((each) => childOf(each, 'SegmentList') ?? []);
  if (templates.length > 0) return templatePlace(level, templates, isLive);
  if (lists.length > 0)
    return (
      lists
        .flatMap((list) => [...list.children])
        .find(({ localName }) => localName === 'SegmentURL')
        ?.getAttribute('media') ?? null
    );
  return childOf(level, 'BaseURL') ? '' : null;
}

function templatePlace(level: Element, templates: readonly Element[], isLive: boolean): string | null {
  const of = (name: string): string | null =>
    templates.map((each) => each.getAttribute(name)).find((value) => value !== null) ?? null;
  const pattern = (isLive ? of('initialization') : null) ?? of('media') ?? of('initialization');
  const entry = templates
    .flatMap((each) => childOf(each, 'SegmentTimeline') ?? [])
    .flatMap((timeline) => [...timeline.children])
    .at(0);
  const values: Readonly<Record<string, string>> = {
    RepresentationID: level.getAttribute('id') ?? '',
    Bandwidth: level.getAttribute('bandwidth') ?? '',
    Number: of('startNumber') ?? '1',
    Time: entry?.getAttribute('t') ?? '0',
    '': '$',
  };
  return (
    pattern?.replace(/\$(\w*)(?:%0(\d+)d)?\$/g, (same, name: string, width: string | undefined) =>
      name in values ? values[name]!.padStart(Number(width ?? 0), '0') : same,
    ) ?? null
  );
}

/** A duration without days, as PT2.5S, in s; null where there is none. */
function secondsOf(text: string | null): number | null {
  const [, hours, minutes, seconds] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text ?? '') ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined) return null;
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
