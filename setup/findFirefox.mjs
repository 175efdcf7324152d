// A Firefox of Mozilla's own engine, for sessions in a second browser. Optional: looked for always, installed when asked for.
import { aptInstall, canApt, isProgram, onPath, programNamed, run } from './run.mjs';

const NAMES = ['firefox-esr', 'firefox'];
const MAC = '/Applications/Firefox.app/Contents/MacOS/firefox';
/** The oldest whose WebDriver BiDi was tried; Debian's is an ESR of it or newer. */
const MIN_MAJOR = 153;

const OPTIONAL = 'only sessions in Firefox need it';

/** { path, how } or { path: null, why }. Without `mayInstall` nothing is installed: 80 MB, as root, that few need. @returns {import('./run.mjs').Found} */
export function findFirefox(say, { mayInstall = false, command = 'npm run setup -- --firefox' } = {}) {
  const named = programNamed('PITWALL_FIREFOX');
  if (named) return named;
  const there = found();
  if (there?.path) return there;
  if (mayInstall) return install(say);
  return { path: null, why: `${there?.why ?? OPTIONAL}: ${whatToDo(command)}` };
}

function install(say) {
  if (!canApt())
    return {
      path: null,
      why: `set-up installs packages only on Debian, as root: install Firefox ${MIN_MAJOR} or newer`,
    };
  const refused = aptInstall(['firefox-esr'], say);
  const why = refused ?? 'firefox-esr was installed, but does not start';
  return (refused ? null : found()) ?? { path: null, why };
}

const whatToDo = (command) =>
  canApt() ? `"${command}" installs Debian's firefox-esr` : `install Firefox ${MIN_MAJOR} or newer`;

/** The first that is new enough; else why the last one is not. null: there is none. */
function found() {
  let old = null;
  for (const program of [...NAMES.map((name) => onPath(name)), MAC]) {
    if (!program || !isProgram(program)) continue;
    // Ubuntu's firefox is a script that installs a snap, which has no access to our temporary folders.
    const { ok, out } = run(program, ['--version'], { timeout: 30_000 });
    const major = Number(/^Mozilla Firefox (\d+)/m.exec(out)?.[1]);
    if (ok && major >= MIN_MAJOR) return { path: program, how: out.trim().split('\n').at(-1) };
    if (ok && major > 0) old = { path: null, why: `${program} is Firefox ${major}, older than ${MIN_MAJOR}` };
  }
  return old;
}
