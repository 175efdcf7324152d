import { formatThrown } from '../../abr/answer.ts';
import { faultOfTrial, functionBody, ruleOfExports, trialOf } from '../../abr/ruleFile.ts';
import type { Parameters, Rule, RuleContext } from '../../abr/rule.ts';
import { addPlayerRule } from '../../player/rules.ts';
import { valueOf } from '../../shared/result.ts';

/** How long a rule may take for the trial, ms. */
const TRIAL_MS = 5000;

/**
 * Takes the file that the visitor chose, picks its rule, and says below the field what came of it. It does without the page's
 * builders of elements: a second part of the page that used them would make them a file of their own.
 */
export async function pickRuleFile(field: HTMLInputElement, picker: HTMLSelectElement): Promise<void> {
  const [file] = field.files ?? [];
  const note = document.getElementById('rule-file-note')!;
  // Else the same file, edited meanwhile, could not be chosen again.
  field.onclick = () => void (field.value = '');
  if (!file) return;
  try {
    const rule = await readRule(file);
    addPlayerRule(rule);
    if (![...picker.options].some(({ value }) => value === rule.id)) picker.add(new Option('', rule.id));
    picker.value = rule.id;
    picker.dispatchEvent(new Event('change', { bubbles: true }));
    const sha256 = String(rule.parameters['sha256']).slice(0, 8);
    note.textContent = `${file.name} (SHA-256 ${sha256}…) is the rule ${rule.id}. A link cannot carry it.`;
  } catch (fault) {
    note.textContent = `${file.name}: ${formatThrown(fault)}.`;
  }
  note.dataset['done'] = '';
}

async function readRule(file: File): Promise<Rule> {
  if (/\.m?ts$/.test(file.name))
    throw new Error('The page takes JavaScript. pitwall compare --rules takes TypeScript, too.');
  const bytes = await file.arrayBuffer();
  const body = valueOf(functionBody(new TextDecoder().decode(bytes)));
  const sha256 = await hashOf(bytes);
  const exported = ownRealm((await inFrame(body))());
  const rule = valueOf(ruleOfExports(exported, { name: file.name, sha256 }));
  const fault = faultOfTrial(rule);
  if (fault !== null) throw new Error(fault);
  return rule;
}

async function hashOf(bytes: ArrayBuffer): Promise<string> {
  if (!isSecureContext) return 'unknown: only a page from https or localhost can compute it';
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

type Realm = Window & typeof globalThis & { enter?: () => unknown };

/** Nothing can be loaded from here, or connected to: a policy also holds for the workers that a document starts. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src blob:; worker-src blob:">`;

/**
 * Makes the code of a file a function of a frame that is gone before it is first called. The frame's globals are then without a
 * document that is shown: they reach no network, no page and no timer. A worker of the frame has tried it before.
 */
async function inFrame(body: string): Promise<() => unknown> {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.srcdoc = POLICY;
  const isThere = new Promise((there) => frame.addEventListener('load', there));
  document.body.append(frame);
  await isThere;
  const realm = frame.contentWindow as Realm;
  try {
    await mustEnd(realm, body);
    const script = realm.document.createElement('script');
    const isLoaded = new Promise((loaded) => (script.onload = script.onerror = loaded));
    script.src = blobOf(`self.enter=()=>{${MEMBRANE}return guard(load((exports)=>{${body}}));}`);
    realm.document.head.append(script);
    await isLoaded;
    if (!realm.enter) throw new Error('It cannot be run.');
    return realm.enter;
  } finally {
    frame.remove();
  }
}

const blobOf = (script: string): string =>
  URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));

/** A worker has the origin of the page, and so its recordings; a policy of content does not say who may read them. */
const WITHOUT_STORAGE =
  'for(let o=self;o;o=Object.getPrototypeOf(o))for(const n of ["indexedDB","caches","BroadcastChannel","navigator"])delete o[n];';

/** Runs the trial in a worker, which can be ended. Rejects with one sentence about code that is none or never ends. */
async function mustEnd(realm: Realm, body: string): Promise<void> {
  const trials = JSON.stringify([trialOf(), trialOf(1)]);
  // What parses here as a block cannot end the function that is around it in the frame.
  const script = `"use strict";const exports={};${WITHOUT_STORAGE}try{{${body}}
const rule=exports.default;
for(const {context,steps} of ${trials}){
let state=rule.start({...context,sizeBytes:()=>null,sizesFrom:()=>null});
for(const {event,moment} of steps){state=rule.observe(state,event);rule.decide(state,moment)}
}
}finally{postMessage(0)}`;
  const worker = new realm.Worker(blobOf(script));
  try {
    await new Promise<void>((done, fail) => {
      worker.onmessage = () => done();
      worker.onerror = ({ message }) => fail(new Error(`It cannot be run: ${message}.`));
      setTimeout(
        () => fail(new Error(`It did not end a trial within ${TRIAL_MS / 1000} s: it may loop for ever.`)),
        TRIAL_MS,
      );
    });
  } finally {
    worker.terminate();
  }
}

/**
 * Runs in the frame. What the rule is given it gets as text, and reads it with what the frame had before the rule came: an
 * object of the page would lead to all others. So would an error of the page, which a rule can cause: by a stack that is full.
 */
const MEMBRANE = `"use strict";
const {parse}=JSON;
const safe=(ask)=>{try{return ask()}catch{throw "no size can be said"}};
const load=(make)=>{const exports={};make(exports);return exports.default};
const guard=(rule)=>{
  if(typeof rule!=="object"||rule===null)return rule;
  const given=(name,instead)=>typeof rule[name]==="function"?instead:rule[name];
  return {...rule,
    tuned:given("tuned",(changes)=>guard(rule.tuned(parse(changes)))),
    start:given("start",(context,bytes,from)=>rule.start({...parse(context),sizeBytes:(segment,rung)=>safe(()=>bytes(segment,rung)),sizesFrom:()=>safe(from)})),
    observe:given("observe",(state,event)=>rule.observe(state,parse(event))),
    decide:given("decide",(state,moment)=>rule.decide(state,parse(moment)))};
};
`;

/** Speaks with what `guard` returned, as with a rule of ours. */
function ownRealm(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null) return exported;
  const inside = exported as Record<string, unknown>;
  const call = (name: string, ...given: unknown[]): unknown =>
    (inside[name] as (...given: unknown[]) => unknown)(...given);
  const passed: Record<string, (...given: never[]) => unknown> = {
    tuned: (changes: Parameters) => ownRealm(call('tuned', JSON.stringify(changes))),
    start: (context: RuleContext) =>
      call('start', JSON.stringify(context), context.sizeBytes, context.sizesFrom),
    observe: (state: unknown, event: unknown) => call('observe', state, JSON.stringify(event)),
    decide: (state: unknown, moment: unknown) => call('decide', state, JSON.stringify(moment)),
  };
  const functions = Object.entries(passed).filter(([name]) => typeof inside[name] === 'function');
  return { ...inside, ...Object.fromEntries(functions) };
}
