/** Where progress is written: standard output, or a test. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Lines that stay, and on a terminal one below them that changes. */
interface StatusScreen {
  line(text: string): void;
  /** Text of others, with its own line breaks. */
  pass(text: string | Buffer): void;
  /** On a terminal: the line that changes, cut to its width; elsewhere nothing. */
  status(text: string): void;
  /** Takes the status away. */
  end(): void;
}

const CLEAR = '\r\x1b[2K';

export function statusScreen(output: Output): StatusScreen {
  let [shown, isLineOpen] = ['', false];
  const draw = (text: string): void => {
    shown = text;
    // Below what others have not ended with a line break, a status would be written over it.
    if (output.isTTY && !isLineOpen)
      output.write(`${CLEAR}${text.slice(0, Math.max(0, (output.columns || 80) - 1))}`);
  };
  const above = (text: string): void => {
    output.write(`${output.isTTY && !isLineOpen ? CLEAR : ''}${text}`);
    isLineOpen = !text.endsWith('\n');
    draw(shown);
  };
  return {
    line: (text) => above(`${isLineOpen ? '\n' : ''}${text}\n`),
    pass: (text) => above(String(text)),
    status: draw,
    end: () => draw(''),
  };
}
