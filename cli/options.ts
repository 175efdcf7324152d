import { InvalidArgumentError, Option } from 'commander';

/** A parser for a comma-separated list of known ids; says which one is unknown and what is known. */
export function listOf(what: string, entries: readonly { id: string }[]): (text: string) => string[] {
  const known = entries.map(({ id }) => id);
  return (text) => {
    const asked = [...new Set(text.split(',').map((each) => each.trim()))].filter((each) => each !== '');
    const unknown = asked.find((each) => !known.includes(each));
    if (unknown !== undefined)
      throw new InvalidArgumentError(`Unknown ${what} "${unknown}"; known: ${known.join(', ')}.`);
    if (asked.length === 0) throw new InvalidArgumentError(`Name at least one ${what}: ${known.join(', ')}.`);
    return asked;
  };
}

/** A parser for a whole number with a least value. */
export function wholeNumber(option: string, { min }: { min: number }): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < min)
      throw new InvalidArgumentError(`${option} takes a whole number of ${min} or more.`);
    return value;
  };
}

/** A parser for the address of a stream. */
export function streamUrl(option: string): (text: string) => string {
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
    throw new InvalidArgumentError(
      `${option} takes an http or https address, such as https://cdn.example/a.mpd.`,
    );
  };
}

/** An option that takes one of a registry's ids. */
export const choice = (flags: string, text: string, entries: readonly { id: string }[]): Option =>
  new Option(flags, text).choices(entries.map(({ id }) => id));

/** A parser for bitrates of a ladder. */
export function bitrates(text: string): number[] {
  const values = text.split(',').map(Number);
  if (values.some((value) => !(value > 0 && Number.isFinite(value))))
    throw new InvalidArgumentError(
      '--ladder takes bitrates in kbit/s with commas between, as in 300,750,1200.',
    );
  return values;
}

/** `--origin` of `compare` and `serve`. `speaking` is the name that older versions gave the instrumented origin. */
export function originOption(about: string): Option {
  const option = new Option('--origin <name>', about).choices(['caddy', 'instrumented']).default('caddy');
  const parse = option.parseArg!;
  return option.argParser((name: string, before: unknown) =>
    parse(name === 'speaking' ? 'instrumented' : name, before),
  );
}
