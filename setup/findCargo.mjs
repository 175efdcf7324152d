// Rust's build tool: on the PATH, or where rustup puts it.
import { homedir } from 'node:os';
import path from 'node:path';
import { isProgram, onPath } from './run.mjs';

/** The path of cargo, null where there is none. */
export function findCargo() {
  const own = path.join(process.env.CARGO_HOME ?? path.join(homedir(), '.cargo'), 'bin', 'cargo');
  return onPath('cargo') ?? (isProgram(own) ? own : null);
}
