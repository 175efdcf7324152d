import {
  createRequestRanges,
  type RangeEnd,
  type RangesInFlight,
} from '../../telemetry/join/requestRanges.ts';
import { withoutFragment } from '../../telemetry/redactUrl.ts';
import { contentRangeOf, formatRange, partSizes, rangesOf, type ByteRange } from './byteRanges.ts';
import {
  announcedBytesOf,
  collect,
  collectBytes,
  nextTask,
  optionsOf,
  rangeOf,
  type BodyListeners,
  type CollectedBytes,
  type MediaBody,
} from './mediaBody.ts';
import type { MediaRequest, MediaResponse } from './progressEvents.ts';

/** Why a server's segments cannot be requested in ranges, or not as they were. */
export type SplitFault =
  | 'no-ranges' // it answers with the whole file
  | 'other-bytes' // it answers with other bytes than it was asked for
  | 'no-size' // the size is not known, and Content-Range cannot be read
  | 'other-size'; // the file has another size than was known

export interface Splitting {
  /** Number of ranges. */
  readonly count: number;
  /** Size of the body; null: the first answer says it. */
  readonly sizeBytes: number | null;
  /** Length of the first range where the size is not known. */
  readonly firstBytes: number;
  /** Whether this server has answered with ranges before: then all leave at once. Otherwise the first one leaves alone. */
  readonly isProven: boolean;
  /** Called when the server answers with ranges. */
  onProven(): void;
  onFault(fault: SplitFault): void;
}

/** One of the requests of a body. */
interface Part {
  readonly range: ByteRange;
  readonly controller: AbortController;
  readonly answering: Promise<Response>;
  readonly end: (end: RangeEnd) => void;
  status: number;
  bytes: CollectedBytes;
}

interface Split {
  readonly request: MediaRequest;
  readonly listeners: BodyListeners;
  readonly splitting: Splitting;
  readonly ranges: RangesInFlight;
  /** First byte of the body in its file. */
  readonly first: number;
  parts: Part[];
  sizeBytes: number | null;
  /** Whether the server itself said the size. */
  isSizeSaid: boolean;
  isAnnounced: boolean;
  isStopped: boolean;
  /** ETag of the file, where the server sends it: parts of two versions of a file do not belong together. */
  etag: string | null;
}

/**
 * Requests the body of `request` in several ranges at the same time, past the browser's cache: that lets only one request
 * of a file out at a time. The whole is one answer with one progress. Where one range fails, all are cancelled and the
 * request has failed, so that the player tries again by its own rules.
 */
export function createSplitBody(
  request: MediaRequest,
  listeners: BodyListeners,
  splitting: Splitting,
): MediaBody {
  const { sizeBytes } = splitting;
  const split: Split = {
    request,
    listeners,
    splitting,
    sizeBytes,
    ranges: createRequestRanges(),
    first: rangeOf(request)?.first ?? 0,
    parts: [],
    etag: null,
    isSizeSaid: false,
    isAnnounced: false,
    isStopped: false,
  };
  request.customData.recorded?.inRanges(split.ranges);
  return {
    received: receive(split),
    progress: () => ({ bytes: bytesOf(split), totalBytes: split.sizeBytes }),
    continueAt: () => false,
    abort: () => stop(split),
  };
}

async function receive(split: Split): Promise<MediaResponse> {
  try {
    await sendAll(split);
    const answers = await Promise.all(split.parts.map((part) => receivePart(split, part)));
    if (split.sizeBytes !== null && split.sizeBytes !== bytesOf(split)) split.splitting.onFault('other-size');
    return jointResponse(split, answers[0]!);
  } catch (fault) {
    if (fault instanceof SoleAnswer) return await soleResponse(split, fault);
    stop(split);
    throw fault;
  }
}

/** A server without ranges must not be asked for the same file several times: the first range shows what it does. */
async function sendAll(split: Split): Promise<void> {
  const { request, splitting, first } = split;
  const { sizeBytes, isProven, count, firstBytes } = splitting;
  if (isProven && sizeBytes !== null) {
    for (const range of openAtEnd(rangesOf({ first, sizeBytes }, count), request)) send(split, range);
    return;
  }
  const length = sizeBytes === null ? firstBytes : partSizes(sizeBytes, count)[0]!;
  const answer = await headOf(split, send(split, { first, last: first + length - 1 }));
  splitting.onProven();
  for (const range of restOf(answer, { split, length })) send(split, range);
}

/** What follows the first range of so many bytes. Where its answer does not say how much that is, it is one range. */
function restOf(answer: Response, { split, length }: { split: Split; length: number }): ByteRange[] {
  const { first, sizeBytes, splitting, request } = split;
  if (sizeBytes === null) {
    splitting.onFault('no-size');
    const announced = announcedBytesOf(answer.headers) ?? length;
    if (announced >= length) return [{ first: first + length, last: null }];
    learnSize(first + announced, split);
    return [];
  }
  const restBytes = sizeBytes - length;
  if (restBytes <= 0) return [];
  const rest = rangesOf({ first: first + length, sizeBytes: restBytes }, Math.max(1, splitting.count - 1));
  return openAtEnd(rest, request);
}

/** The end of a file is where the server says: what was known of its size may be wrong. */
const openAtEnd = (ranges: readonly ByteRange[], request: MediaRequest): ByteRange[] =>
  rangeOf(request) === null ? ranges.with(-1, { ...ranges.at(-1)!, last: null }) : [...ranges];

function send(split: Split, range: ByteRange): Part {
  const { request, ranges, parts, isStopped } = split;
  if (isStopped) throw new Error('the request was aborted');
  const text = formatRange(range);
  const controller = new AbortController();
  const end = ranges.sending({ range: text, url: resourceName(request.url), sentMs: performance.now() });
  const answering = fetch(request.url, optionsOf(request, { range: text, signal: controller.signal }));
  const part = { range, controller, answering, end, status: 0, bytes: collectBytes(0) };
  parts.push(part);
  return part;
}

/** Returns a URL as Resource Timing names it. */
export const resourceName = (url: string): string => withoutFragment(URL.parse(url)?.href ?? url);

/** Resolves once a part is answered with its range. */
async function headOf(split: Split, part: Part): Promise<Response> {
  try {
    const answer = await part.answering;
    part.status = answer.status;
    if (answer.status !== 206) throw new SoleAnswer(part, answer);
    mustBeRange(answer, part, split);
    return answer;
  } catch (fault) {
    if (!(fault instanceof SoleAnswer)) endPart(part, 'network-error');
    throw fault;
  }
}

/** Resolves to the answer of a part once its body is there. */
async function receivePart(split: Split, part: Part): Promise<Response> {
  const answer = await headOf(split, part);
  announce(split);
  part.bytes = collectBytes(announcedBytesOf(answer.headers));
  try {
    await collect(answer, part.bytes, () => split.listeners.onBytes(bytesOf(split)));
    const last = lastOf(part, split);
    if (last !== null && part.bytes.length !== last + 1 - part.range.first) throw otherBytes(split, part);
    await nextTask();
  } catch (fault) {
    endPart(part, 'network-error');
    throw fault;
  }
  endPart(part, 'ok');
  return answer;
}

/** @throws Error where an answer is not the range that was asked for, or of another file than the other parts */
function mustBeRange({ headers }: Response, part: Part, split: Split): void {
  const said = contentRangeOf(headers);
  const etag = headers.get('etag');
  if (said) learnSize(said.sizeBytes, split);
  const last = lastOf(part, split);
  const isOther =
    (said !== null && (said.first !== part.range.first || (last !== null && said.last !== last))) ||
    (etag !== null && split.etag !== null && etag !== split.etag);
  split.etag ??= etag;
  if (isOther) throw otherBytes(split, part);
}

/** `fileBytes`: size of the whole file, as an answer says it. */
function learnSize(fileBytes: number | null, split: Split): void {
  // Where the body is a range of a file, its size is known from what was asked for.
  if (fileBytes === null || (rangeOf(split.request)?.last ?? null) !== null) return;
  const sizeBytes = fileBytes - split.first;
  if (split.sizeBytes !== null && split.sizeBytes !== sizeBytes) split.splitting.onFault('other-size');
  split.sizeBytes = sizeBytes;
  split.isSizeSaid = true;
}

/** The last byte that a part should have; null: not known. What was only known beforehand may be wrong. */
function lastOf({ range }: Part, { first, sizeBytes, isSizeSaid }: Split): number | null {
  const end = isSizeSaid && sizeBytes !== null ? first + sizeBytes - 1 : null;
  if (range.last === null) return end;
  return end === null ? range.last : Math.min(range.last, end);
}

function otherBytes({ splitting }: Split, { range }: Part): Error {
  splitting.onFault('other-bytes');
  return new Error(`bytes ${formatRange(range)} were asked for, and others came`);
}

/** One answer that is all there is: the whole file, or a refusal. */
class SoleAnswer extends Error {
  readonly part: Part;
  readonly answer: Response;
  constructor(part: Part, answer: Response) {
    super(`the answer to ${formatRange(part.range)} has the status ${answer.status}`);
    this.part = part;
    this.answer = answer;
  }
}

/** What an answer other than a range says of the server; null for a refusal. */
function faultOf({ status, ok }: Response): SplitFault | null {
  if (status === 416) return 'other-size';
  return ok ? 'no-ranges' : null;
}

/** Takes one answer for the whole, and cancels all other parts. */
async function soleResponse(split: Split, { part, answer }: SoleAnswer): Promise<MediaResponse> {
  const { request, splitting, listeners } = split;
  for (const each of split.parts) if (each !== part) cancel(each);
  split.parts = [part];
  const fault = faultOf(answer);
  if (fault !== null) splitting.onFault(fault);
  // A file in place of a range of it is more than the player asked for, and after a range that is not there it asks anew.
  if (fault === 'other-size' || (fault !== null && rangeOf(request) !== null)) {
    stop(split);
    throw new Error(`${answer.url} has no such range`);
  }
  split.sizeBytes = announcedBytesOf(answer.headers);
  split.isAnnounced = false;
  announce(split);
  part.bytes = collectBytes(answer.body ? split.sizeBytes : 0);
  try {
    await collect(answer, part.bytes, listeners.onBytes);
    await nextTask();
  } catch (fault) {
    endPart(part, 'network-error');
    throw fault;
  }
  endPart(part, answer.ok ? 'ok' : 'http-error');
  const { url, status, statusText, headers } = answer;
  return { url, status, statusText, headers: Object.fromEntries(headers), data: part.bytes.toBuffer() };
}

/** The parts as one answer, with the headers of the first. */
function jointResponse(split: Split, { url, statusText, headers }: Response): MediaResponse {
  const data = new Uint8Array(bytesOf(split));
  let at = 0;
  for (const { bytes } of split.parts) {
    data.set(new Uint8Array(bytes.toBuffer()), at);
    at += bytes.length;
  }
  const { 'content-range': said, ...others } = Object.fromEntries(headers);
  const length = { 'content-length': String(data.length) };
  const common = { url, data: data.buffer };
  if (rangeOf(split.request) === null)
    return { ...common, status: 200, statusText: 'OK', headers: { ...others, ...length } };
  const last = split.first + data.length - 1;
  const range = said && { 'content-range': `bytes ${split.first}-${last}/${said.split('/')[1]}` };
  return { ...common, status: 206, statusText, headers: { ...others, ...length, ...range } };
}

function announce(split: Split): void {
  if (split.isAnnounced) return;
  split.isAnnounced = true;
  split.listeners.onAnnounced(split.sizeBytes);
}

const bytesOf = ({ parts }: Split): number => parts.reduce((sum, { bytes }) => sum + bytes.length, 0);

function stop(split: Split): void {
  split.isStopped = true;
  for (const part of split.parts) cancel(part);
}

function cancel(part: Part): void {
  endPart(part, 'aborted');
  part.controller.abort();
}

const endPart = ({ end, status, bytes }: Part, outcome: RangeEnd['outcome']): void =>
  end({ outcome, status, receivedBytes: bytes.length, endMs: performance.now() });
