import { failed, ok, type Result } from '../../shared/result.ts';
import { createLineSplitter } from './lineSplitter.ts';
import { readConstants, type NetLogConstants } from './netLogConstants.ts';
import type { NetLogEvent, Params } from './netLogEvent.ts';

/** Takes a NetLog as chunks of text and hands on the wanted events one by one, so that nothing has to be kept. */
export interface NetLogScanner {
  push(text: string): void;
  /** The constants as soon as their line was there; a sentence once it is certain that this is no NetLog. */
  head(): Result<NetLogConstants> | null;
  /** Reads what stands after the last line break; says what the head was. */
  end(): Result<NetLogConstants>;
}

export interface ScanOptions {
  /** Names of the events to hand on; lines of others are not even parsed. */
  readonly wanted: ReadonlySet<string>;
  readonly onEvent: (event: NetLogEvent, constants: NetLogConstants) => void;
}

const NO_NETLOG = 'This is not a NetLog: its first line has no "constants".';

/**
 * Chromium writes one event a line, and a killed browser leaves the file unclosed: a last, torn line is left out, and
 * so is every line that is no event (net/log/file_net_log_observer.cc).
 */
export function scanNetLog({ wanted, onEvent }: ScanOptions): NetLogScanner {
  let head: Result<NetLogConstants> | null = null;
  let types: ReadonlySet<number> = new Set();
  const takeLine = (line: string): void => {
    if (head === null) {
      const constants = readConstants(line);
      head = constants ? ok(constants) : failed(NO_NETLOG);
      types = new Set(
        [...(constants?.typeNames ?? [])].flatMap(([type, name]) => (wanted.has(name) ? type : [])),
      );
      return;
    }
    if (!head.ok || !isWanted(line, types)) return;
    const event = readEvent(line, head.value);
    if (event && wanted.has(event.name)) onEvent(event, head.value);
  };
  const lines = createLineSplitter(takeLine);
  return {
    push(text) {
      if (head?.ok !== false) lines.push(text);
    },
    head: () => head,
    end() {
      lines.end();
      return head ?? failed(NO_NETLOG);
    },
  };
}

/**
 * Keys are written in order of the alphabet, so an event ends with its type, and nine lines in ten need no parsing.
 * A line that ends otherwise is parsed to find out.
 */
function isWanted(line: string, types: ReadonlySet<number>): boolean {
  if (!line.startsWith('{"')) return false;
  const end = /"type":(\d+)\}[\s,\]]*$/.exec(line.slice(-40));
  return end === null || types.has(Number(end[1]));
}

function readEvent(line: string, { typeNames, tickOffsetMs }: NetLogConstants): NetLogEvent | null {
  const { type, time, phase, source, params } = parsed(line);
  const name = typeNames.get(type as number);
  const sourceId = (source as { id?: unknown } | undefined)?.id;
  const unixMs = Number(time) + tickOffsetMs;
  if (name === undefined || typeof sourceId !== 'number' || !Number.isFinite(unixMs)) return null;
  if (phase !== 0 && phase !== 1 && phase !== 2) return null;
  return {
    name,
    phase,
    sourceId,
    unixMs,
    params: typeof params === 'object' ? ((params ?? {}) as Params) : {},
  };
}

function parsed(line: string): Params {
  try {
    return (JSON.parse(withoutTail(line)) ?? {}) as Params;
  } catch {
    return {};
  }
}

/** Without what stands after an event: a comma, and after the last one the end of the list and of the file. */
function withoutTail(line: string): string {
  const event = withoutComma(line);
  const end = event.endsWith(']}') ? 2 : event.endsWith(']') ? 1 : 0;
  return end === 0 ? event : withoutComma(event.slice(0, -end));
}

function withoutComma(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(',') ? trimmed.slice(0, -1) : trimmed;
}
