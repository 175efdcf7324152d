import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const FOLDER = path.join('src', 'ui', 'sessionPage');

interface SessionPageOptions {
  /** Name of the page in the built folder. */
  readonly fileName: string;
  /** What the page's own build needs to read its modules. */
  readonly plugins: readonly Plugin[];
}

/** Adds the page of one session to the build: one HTML file with its styles and its script, without a log. */
export const buildSessionPage = ({ fileName, plugins }: SessionPageOptions): Plugin => ({
  name: 'session-page',
  apply: 'build',
  async generateBundle() {
    const { root } = this.environment.config;
    // The bench builds pages of its own with the app's configuration.
    if (!existsSync(path.join(root, FOLDER))) return;
    const { script, styles } = await buildInline(root, plugins);
    const template = readFileSync(path.join(root, FOLDER, 'sessionPage.html'), 'utf8');
    this.emitFile({ type: 'asset', fileName, source: inlined(template, script, styles) });
  },
});

/** Builds the script as one module, charts included, and the styles as one sheet. */
async function buildInline(
  root: string,
  plugins: readonly Plugin[],
): Promise<{ script: string; styles: string }> {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [...plugins],
    build: {
      target: 'es2023',
      write: false,
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: {
        input: path.join(root, FOLDER, 'sessionPage.ts'),
        treeshake: { propertyReadSideEffects: false },
        output: { codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  const scripts = output.filter((part) => part.type === 'chunk');
  const styles = output.filter((part) => part.type === 'asset' && part.fileName.endsWith('.css'));
  if (scripts.length !== 1 || styles.length !== 1)
    throw new Error(
      `A session's page needs one script and one sheet, not ${output.map(({ fileName }) => fileName).join(', ')}.`,
    );
  return { script: scripts[0]!.code, styles: String((styles[0] as Rolldown.OutputAsset).source) };
}

/** Puts script and styles into the template, and their hashes into its policy. @throws Error where a text would end its element */
function inlined(template: string, script: string, styles: string): string {
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(styles))
    throw new Error('A text of the session page would end the element that it is in.');
  // Functions: a replacement's text may contain `$&`.
  return template
    .replace('SCRIPT-HASH', () => hashOf(script))
    .replace('STYLE-HASH', () => hashOf(styles))
    .replace('<style id="style"></style>', () => `<style>${styles}</style>`)
    .replace('<script type="module" id="script"></script>', () => `<script type="module">${script}</script>`);
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
