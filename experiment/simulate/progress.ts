/** Something is counted while it is done. */
export interface Progress {
  done(count: number): void;
  /** Takes the bar away. */
  end(): void;
}

/** Where a bar goes: standard error, or a test. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;
/** A bar is drawn so often at most. */
const EVERY_MS = 100;
/** Where nobody watches, a line at each of so many parts. */
const PARTS = 4;

/** A bar on a terminal; elsewhere a line at each quarter, so that a log of a run stays short. */
export function progressOf(total: number, what: string, screen: Screen = process.stderr): Progress {
  return screen.isTTY ? bar(total, what, screen) : lines(total, what, screen);
}

function bar(total: number, what: string, screen: Screen): Progress {
  let [count, drawnAt] = [0, -Infinity];
  const draw = (): void => {
    const filled = Math.round((WIDTH * count) / total);
    screen.write(`\r[${'#'.repeat(filled)}${'·'.repeat(WIDTH - filled)}] ${count} of ${total} ${what}`);
    drawnAt = performance.now();
  };
  draw();
  return {
    done(more) {
      count += more;
      if (performance.now() - drawnAt > EVERY_MS || count === total) draw();
    },
    end: () => void screen.write('\r\x1b[K'),
  };
}

function lines(total: number, what: string, screen: Screen): Progress {
  let [count, said] = [0, 0];
  return {
    done(more) {
      count += more;
      const part = Math.floor((PARTS * count) / total);
      if (part > said) screen.write(`${count} of ${total} ${what}\n`);
      said = part;
    },
    end: () => undefined,
  };
}
