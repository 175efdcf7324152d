import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { usualGate, type Gate } from '../design/gateFile.ts';
import type { GateArms } from '../design/readGate.ts';
import type { PlannedSession } from '../design/plan.ts';
import { OWN_RULE } from '../factors/rule.ts';
import { faultOfRule } from '../resolve/faultOfRule.ts';
import { namedFiles } from '../resolve/weights.ts';
import { LIBRARY_NAMES, libraries, type PlayerLibrary } from '../resolve/pages/libraries.ts';
import { isPlayerBuild, libraryOf } from '../resolve/pages/playerBuild.ts';
import { OWN_PAGE } from '../resolve/pages/pages.ts';
import { readText, type ReadFile } from '../../node/files.ts';
import { CodedError, EXIT, usageError } from '../../node/exitCodes.ts';
import { splitRuleFile } from '../../src/abr/ruleFile.ts';
import { splitWeights, WEIGHTS } from '../../src/abr/ruleText.ts';

/** What a gate compares: its arms in the campaign, and which sessions are of BASE. */
export interface Compared {
  readonly arms: GateArms;
  isBase(session: PlannedSession): boolean;
}

interface Side {
  readonly kind: 'rule' | 'page';
  readonly text: string;
  /** Of a build of a player. */
  readonly library?: PlayerLibrary | null;
}

const [BASE, NEW] = ['base', 'new'] as const;

/**
 * Reads BASE and NEW: two rules (or rule files, or weights files), or two pages (or builds of a player). Paths are relative to the working
 * folder. `folder` is that of the gate file, to which a campaign's paths are relative. `read` reads files of rules and weights.
 *
 * @throws CodedError in one sentence
 */
export async function comparedArms(
  { base, next }: { readonly base: string; readonly next: string },
  { rule }: Pick<Gate, 'rule'>,
  folder: string,
  read?: ReadFile,
): Promise<Compared> {
  const [first, second] = [await sideOf(base, folder, read), await sideOf(next, folder, read)];
  if (first.kind !== second.kind)
    throw new CodedError(
      EXIT.usage,
      `BASE (${base}) is a ${first.kind} and NEW (${next}) is a ${second.kind}: both must be rules, or both pages or builds of a player.`,
    );
  if (first.kind === 'page') {
    const player = playerOf(first, second);
    return {
      arms: {
        ...(player !== 'dashjs' && { players: [player] }),
        rules: [player !== 'dashjs' && rule === usualGate.rule ? OWN_RULE : rule],
        compare: 'pages',
        pages: [
          { name: BASE, page: first.text },
          { name: NEW, page: second.text },
        ],
      },
      isBase: ({ page }) => page === BASE,
    };
  }
  const [ofBase, ofNew] = await sessionRules([first.text, second.text], folder, read);
  if (ofBase === ofNew)
    return {
      arms: { rules: [first.text], compare: 'aaLabels', aaLabels: [BASE, NEW] },
      isBase: ({ design }) => design.arm.endsWith(`/${BASE}`),
    };
  return {
    arms: { rules: [first.text, second.text], compare: 'rules' },
    isBase: (session) => session.rule === ofBase,
  };
}

/** The player of two pages: that of which one is a build. A page of Pitwall has all of them. @throws CodedError */
function playerOf(first: Side, second: Side): PlayerLibrary['id'] {
  const [base, next] = [first.library, second.library];
  if (base && next && base.id !== next.id)
    throw new CodedError(
      EXIT.usage,
      `BASE (${first.text}) is a build of ${base.label} and NEW (${second.text}) one of ${next.label}: a gate compares versions of one player.`,
    );
  return (base ?? next)?.id ?? 'dashjs';
}

/** The texts of two rules as their sessions have them: a rule file is called by its id. */
async function sessionRules(
  texts: readonly [string, string],
  folder: string,
  read?: ReadFile,
): Promise<readonly (string | undefined)[]> {
  const filesOf = (...each: string[]) =>
    namedFiles(each, folder, read).catch((error: Error) => {
      throw usageError(error.message);
    });
  const [first] = await filesOf(texts[0]);
  const [second] = await filesOf(texts[1]);
  // A change that leaves the rule as it was makes a gate of equals.
  if (first && first.rule === second?.rule && first.sha256 === second.sha256) return [first.rule, first.rule];
  const files = await filesOf(...new Set(texts));
  return texts.map((text) => files.find(({ asked }) => asked === text)?.rule ?? text);
}

async function sideOf(text: string, folder: string, read?: ReadFile): Promise<Side> {
  if (/\.json$/.test(text) && splitWeights(text).file === null)
    return { kind: 'rule', text: `${await ruleOfWeights(text, read)}${WEIGHTS}${seenFrom(folder, text)}` };
  if (text === OWN_PAGE) return { kind: 'page', text };
  const own = splitRuleFile(text);
  if (own && (await isRuleFile(own.file, read)))
    return { kind: 'rule', text: `${seenFrom(folder, own.file)}${own.settings}` };
  if (isPlayerBuild(text, '.') || isFolder(text))
    return {
      kind: 'page',
      text: existsSync(text) ? seenFrom(folder, text) : text,
      library: await libraryOf(text, '.').catch((error: Error) => {
        throw usageError(error.message);
      }),
    };
  const fault = faultOfRule(text);
  if (fault === null) return { kind: 'rule', text: ruleSeenFrom(folder, text) };
  throw new CodedError(
    EXIT.usage,
    /[\\/]/.test(text) && !text.includes(':')
      ? `${text}: There is no such file or folder.`
      : `${text}: It is no rule, no page and no build of ${LIBRARY_NAMES}. ${fault}`,
  );
}

/** A build of a player is a file of JavaScript, too, but no module with a rule. */
async function isRuleFile(file: string, read?: ReadFile): Promise<boolean> {
  if (/\.m?ts$/.test(file)) return true;
  const text = await readText(file, read).catch(() => '');
  return (
    /^[ \t]*export\b/m.test(text) &&
    /\bdecide\b/.test(text) &&
    libraries.every((each) => each.versionIn(text) === null)
  );
}

const isFolder = (text: string): boolean => statSync(text, { throwIfNoEntry: false })?.isDirectory() ?? false;

const seenFrom = (folder: string, file: string): string =>
  path.relative(path.resolve(folder), path.resolve(file)) || '.';

function ruleSeenFrom(folder: string, text: string): string {
  const { spec, file } = splitWeights(text);
  return file === null ? text : `${spec}${WEIGHTS}${seenFrom(folder, file)}`;
}

/** By the beginning of the `format` of a weights file. */
const RULES: Readonly<Record<string, string>> = {
  'pitwall-neural': 'neural',
  'pitwall-pensieve': 'pensieve',
};

async function ruleOfWeights(file: string, read?: ReadFile): Promise<string> {
  const text = await readText(file, read).catch((error: Error) => {
    throw usageError(error.message);
  });
  const format = /"format"\s*:\s*"([\w-]+)\/\d+"/.exec(text)?.[1] ?? '';
  const rule = RULES[format];
  if (rule !== undefined) return rule;
  throw new CodedError(EXIT.usage, `${file}: It is no file of weights: no known format stands in it.`);
}
