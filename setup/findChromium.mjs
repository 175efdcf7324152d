// A Chromium that plays VP9 and supports h3: Debian's, Google's, or Playwright's own.
import { createRequire } from 'node:module';
import path from 'node:path';
import { aptInstall, canApt, isProgram, onPath, programNamed, run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** { path, how } or { path: null, why }. Looks first, then installs. */
export function findChromium(root, say) {
  return programNamed('PITWALL_CHROMIUM') ?? found() ?? playwrights(root) ?? install(root, say);
}

function found() {
  for (const program of [...NAMES.map((name) => onPath(name)), MAC]) {
    if (!program || !isProgram(program)) continue;
    // Ubuntu's chromium-browser is a script that only says where the real one is.
    const { ok, out } = run(program, ['--version']);
    if (ok) return { path: program, how: out.trim() };
  }
  return null;
}

/** An installed package has its libraries beside it, not below. */
const requireFrom = (root) => createRequire(path.join(root, 'package.json'));

function playwrights(root) {
  const { chromium } = requireFrom(root)('@playwright/test');
  const program = chromium.executablePath();
  return isProgram(program) ? { path: program, how: "Playwright's own" } : null;
}

function install(root, say) {
  const refused = canApt()
    ? aptInstall(['chromium'], say)
    : 'set-up installs packages only on Debian, as root';
  if (!refused && found()) return found();
  say("downloading Playwright's Chromium");
  const cli = requireFrom(root).resolve('@playwright/test/cli');
  const downloaded = run(process.execPath, [cli, 'install', 'chromium'], { timeout: 300_000 });
  const own = downloaded.ok ? playwrights(root) : null;
  return (
    own ?? {
      path: null,
      why: `no Chromium: ${refused}, and Playwright's download failed (${downloaded.why}); install Chromium or Chrome`,
    }
  );
}
