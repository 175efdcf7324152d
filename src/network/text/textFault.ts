import { failed, ok, type Result } from '../../shared/result.ts';

/** Where something stands in a text, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a text, and where; null where the text as a whole is meant. */
export class TextFault extends Error {
  readonly place: Place | null;
  constructor(what: string, place: Place | null = null) {
    super(what);
    this.place = place;
  }
}

/** Runs a reader that throws `TextFault`; the error is one sentence that names the file, line and column. */
export function readingOf<Value>(name: string, read: () => Value): Result<Value> {
  try {
    return ok(read());
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { place, message } = error;
    return failed(`${place ? `${name}, line ${place.line}, column ${place.column}` : name}: ${message}`);
  }
}
