// Plays rules in the player model over the scenes that leave_out.py wrote: `play_scenes.mjs SCENES OUT RULE,RULE…`
// Writes what `pitwall sim --json` writes of each rule and trace, as far as leave_out.py reads it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const floats = (values) => values && Float64Array.from(values);
const ladderOf = (kbps) => kbps.map((bitrateKbps) => ({ bitrateKbps, width: null, height: null }));

function traceOf({ startMs, endMs, rateKbps, rttMs, lossDown, lossUp, againDown }, name) {
  return {
    name,
    startMs,
    endMs: floats(endMs),
    rateKbps: floats(rateKbps),
    rttMs: floats(rttMs),
    ...(lossDown && { lossDown: floats(lossDown) }),
    ...(lossUp && { lossUp: floats(lossUp) }),
    ...(againDown && { againDown: floats(againDown) }),
  };
}

function contentOf(
  { ladderKbps, segmentMs, sizesBytes, initBytes, audio, manifestBytes, sizesFileBytes },
  name,
) {
  const video = {
    ladder: ladderOf(ladderKbps),
    segmentMs,
    segments: sizesBytes[0].length,
    sizesBytes,
    initBytes: initBytes === null ? null : ladderKbps.map(() => initBytes),
  };
  const audioTrack = audio && {
    ladder: ladderOf([(audio.sizeBytes * 8) / audio.segmentMs]),
    segmentMs: audio.segmentMs,
    segments: audio.segments,
    sizesBytes: [Array(audio.segments).fill(audio.sizeBytes)],
    initBytes: audio.initBytes === null ? null : [audio.initBytes],
  };
  return {
    name,
    video,
    audio: audioTrack,
    ...(manifestBytes !== null && { manifestBytes }),
    ...(sizesFileBytes !== null && { sizesFileBytes }),
  };
}

async function playScenes(scenesFile, outFile, ruleTexts) {
  const { name, qoe, scenes } = JSON.parse(readFileSync(scenesFile, 'utf8'));
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  try {
    const { playerModelWith } = await server.ssrLoadModule('/src/sim/player/playerModel.ts');
    const { qoeOfOutcome } = await server.ssrLoadModule('/src/sim/outcomeQoe.ts');
    const { qoeModels } = await server.ssrLoadModule('/src/shared/qoe.ts');
    const { rulesOf } = await server.ssrLoadModule('/node/rules.ts');
    const rules = await rulesOf(ruleTexts);
    if (!rules.ok) throw new Error(rules.error);
    const model = qoeModels.find(({ id }) => id === qoe);
    const results = rules.value.map((rule, index) => ({
      rule: ruleTexts[index],
      perTrace: scenes.map((scene, number) => {
        const content = contentOf(scene, name);
        const trace = traceOf(scene.trace, String(number).padStart(4, '0'));
        const outcome = playerModelWith(scene.settings).simulate({ trace, content, rule, seed: 1 });
        // The sets have none: `_player_set` of families.py leaves out what the lowest level cannot play.
        if (outcome.rungs.length === 0)
          throw new Error(`${name}, scene ${number}: ${ruleTexts[index]} showed nothing.`);
        const { sum, stallSeconds, switches } = qoeOfOutcome(outcome, content.video, model);
        // What a session that gave up did not play counts as nothing.
        const qoePerChunk = sum / (content.video.segments - 1);
        return { trace: trace.name, qoePerChunk, stallSeconds, switches, stalls: outcome.stalls };
      }),
    }));
    writeFileSync(outFile, `${JSON.stringify(results)}\n`);
    for (const { rule, perTrace } of results) {
      const mean = perTrace.reduce((sum, each) => sum + each.qoePerChunk, 0) / perTrace.length;
      process.stdout.write(`${name} ${rule} ${mean.toFixed(3)}\n`);
    }
  } finally {
    await server.close();
  }
}

const [scenesFile, outFile, rules] = process.argv.slice(2);
if (!rules) {
  process.stderr.write('play_scenes.mjs SCENES OUT RULE,RULE…: three arguments are needed.\n');
  process.exit(2);
}
await playScenes(scenesFile, outFile, rules.split(','));
