import type { DashBuild } from './dashBuild.ts';
import { scriptFault } from '../../../setup/buildApp.mjs';

type Script = Pick<DashBuild, 'source' | 'isModule'>;

/**
 * A build of dash.js as a script of a page, which the page imports as a module. Nothing of it is resolved or bundled: what it
 * names, a browser asks the server of the page for. `name` is that of the page. @throws Error in one sentence where no browser
 * could run it
 */
export async function scriptOf(name: string, build: Script): Promise<string> {
  const script = asModule(build);
  const fault = await scriptFault(script);
  if (fault !== null) throw new Error(`page ${name}: Its dash.js ${fault}.`);
  return script;
}

/** What the page imports of dash.js: `src/player/createPlayer.ts`. */
const EXPORTS = 'MediaPlayer';

/** A map that its last line names does not come along. */
function asModule({ source, isModule }: Script): string {
  const text = source.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  if (isModule) return text;
  return [
    'const module = { exports: {} };',
    '(function (module, exports) {',
    text,
    '}).call(globalThis, module, module.exports);',
    `export const { ${EXPORTS} } = module.exports;`,
    'export default module.exports;\n',
  ].join('\n');
}
