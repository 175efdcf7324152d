// The declarations of a package: what tsc emits for its entries and what these reach, one file a module.
import path from 'node:path';
import ts from 'typescript';

/** The schema is made by TypeBox; the package has the types that come out, so that its users need no TypeBox. */
const SESSION_LOG = 'src/telemetry/schema/sessionLog.ts';

/**
 * Path below the root, ending in `.d.ts`, → text. `packages` maps modules that are other packages to their names.
 * @throws Error when a module has none, or imports what the package does not have
 */
export function declarationsOf(root, { entries, packages = {}, peers = [] }) {
  const program = createProgram(root, entries);
  const emitted = new Map();
  const waiting = [...entries];
  while (waiting.length > 0) {
    const file = waiting.pop();
    const name = file.replace(/\.ts$/, '.d.ts');
    if (emitted.has(name)) continue;
    const text = file === SESSION_LOG ? expandedTypes(root, program) : emit(root, { program, file });
    const { text: rewritten, modules } = rewrite(file, { text, packages, peers });
    emitted.set(name, rewritten);
    waiting.push(...modules);
  }
  return emitted;
}

function createProgram(root, entries) {
  const { config, error } = ts.readConfigFile(path.join(root, 'tsconfig.browser.json'), ts.sys.readFile);
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram({
    rootNames: entries.map((entry) => path.join(root, entry)),
    options: {
      ...parsed.options,
      composite: false,
      incremental: false,
      types: [],
      rootDir: root,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: path.join(root, '.pitwall', 'declarations'),
    },
  });
}

/** The declarations of one module. @throws Error where it has types that cannot be written down */
function emit(root, { program, file }) {
  const source = program.getSourceFile(path.join(root, file));
  if (!source) throw new Error(`declarations: there is no module ${file}`);
  let text = null;
  const { diagnostics } = program.emit(source, (_name, written) => void (text = written), undefined, true);
  const [fault] = diagnostics;
  if (fault) throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
  if (text === null) throw new Error(`declarations: tsc wrote none for ${file}`);
  return text;
}

/** The modules that a declaration file names, and its text with the names under which the package has them. */
function rewrite(file, { text, packages, peers }) {
  const modules = [];
  let rewritten = '';
  let end = 0;
  for (const { fileName, pos } of ts.preProcessFile(text).importedFiles) {
    const from = text.indexOf(fileName, pos);
    rewritten += text.slice(end, from) + nameFor(fileName);
    end = from + fileName.length;
  }
  return { text: rewritten + text.slice(end), modules };

  function nameFor(name) {
    if (!name.startsWith('.')) {
      if (!peers.includes(name)) throw new Error(`the types of ${file} need the package "${name}"`);
      return name;
    }
    const module = path.posix.join(path.posix.dirname(file), name);
    if (packages[module]) return packages[module];
    modules.push(module);
    return name.replace(/\.ts$/, '.js');
  }
}

const { NoTruncation, InTypeAlias, MultilineObjectLiterals } = ts.NodeBuilderFlags;
const FLAGS = NoTruncation | InTypeAlias | MultilineObjectLiterals;

/** The exported types of the session log, written out. */
function expandedTypes(root, program) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path.join(root, SESSION_LOG));
  const printer = ts.createPrinter();
  const types = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .filter(({ flags }) => flags & ts.SymbolFlags.TypeAlias)
    .map((symbol) => {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const node = checker.typeToTypeNode(type, undefined, FLAGS);
      return `export type ${symbol.name} = ${printer.printNode(ts.EmitHint.Unspecified, node, source)};\n`;
    });
  if (types.length === 0) throw new Error(`${SESSION_LOG} exports no types`);
  return types.join('\n');
}
