/** Takes text in chunks of any size, hands on whole lines without their line break. */
export interface LineSplitter {
  push(text: string): void;
  /** Hands on what stands after the last line break. */
  end(): void;
}

/** A line longer than `maxChars` is left out, so that a file without line breaks cannot fill the memory. */
export function createLineSplitter(onLine: (line: string) => void, maxChars = 32e6): LineSplitter {
  let rest = '';
  let tooLong = false;
  const keep = (piece: string): void => {
    tooLong ||= rest.length + piece.length > maxChars;
    rest = tooLong ? '' : rest + piece;
  };
  const finish = (): void => {
    if (!tooLong) onLine(rest);
    [rest, tooLong] = ['', false];
  };
  return {
    push(text) {
      let from = 0;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        keep(text.slice(from, at));
        finish();
        from = at + 1;
      }
      keep(text.slice(from));
    },
    end: finish,
  };
}
