import type { Plan, PlanProblem } from './planProblem.ts';

/** Returns the best plan by looking at every plan: the definition of `bestPlan`, against which its search is tested. */
export function bruteForcePlan(problem: PlanProblem, tie = 1e-9): Plan {
  const best: (Omit<Plan, 'firstRung'> | undefined)[] = [];
  for (const plan of plansOf(problem)) {
    const before = best[plan.firstRung];
    if (before === undefined || plan.value > before.value) best[plan.firstRung] = plan;
  }
  const highest = Math.max(...best.map((plan) => plan?.value ?? -Infinity));
  const firstRung = best.findIndex((plan) => plan !== undefined && plan.value >= highest - tie);
  return { ...best[firstRung]!, firstRung };
}

function* plansOf(problem: PlanProblem): Generator<Plan> {
  const rungs = new Array<number>(problem.steps).fill(0);
  for (;;) {
    yield planOf(problem, rungs);
    let step = problem.steps - 1;
    while (step >= 0 && rungs[step] === problem.qualities.length - 1) rungs[step--] = 0;
    if (step < 0) return;
    rungs[step]! += 1;
  }
}

function planOf(problem: PlanProblem, rungs: readonly number[]): Plan {
  const { qualities, downloadMs, segmentMs, muPerMs, variationWeight } = problem;
  let { bufferMs } = problem;
  let before = problem.lastRung;
  let value = 0;
  let stallMs = 0;
  rungs.forEach((rung, step) => {
    const tookMs = downloadMs[step * qualities.length + rung]!;
    const late = Math.max(tookMs - bufferMs, 0);
    const quality = qualities[rung]!;
    const change = before === null ? 0 : Math.abs(quality - qualities[before]!);
    value += quality - variationWeight * change - muPerMs * late;
    stallMs += late;
    bufferMs = Math.max(bufferMs - tookMs, 0) + segmentMs;
    before = rung;
  });
  return { firstRung: rungs[0]!, value, stallMs };
}
