import type { JsonObject } from "../../../../src/json.ts";
import type { Composition } from "../../../../targets/openwhisk/runtime/conductor/composition.ts";
import { type Kill, type RunRecord, runWithKills } from "./harness.ts";

const task = (action: string, Next?: string) => ({
  Type: "Task",
  Action: `/_/waybill/${action}`,
  ...(Next ? { Next } : {}),
});
const computing = (text: string, Next: string) => ({ Type: "Task", Function: text, Next });
const helper = (Next: string) => task("rt", Next);
const waitFor = (event: string) =>
  `() => ({ operation: "suspend", wait: { id: "${event}", alternatives: [{ all: [[{ event: "${event}" }]] }] } })`;

/**
 * A run with every kind of checkpoint: a wait, a fork whose branches wait and delay, a long delay, and more calls than
 * an invocation allows.
 */
const composition: Composition = {
  Entry: "order",
  Exit: "done",
  States: {
    order: task("order", "for bell"),
    "for bell": computing(waitFor("bell"), "bell"),
    bell: helper("branches"),
    branches: computing(
      '() => ({ operation: "fork", branches: [{ state: "pause" }, { state: "for horn" }], mode: "joined", failure: "fatal" })',
      "fork",
    ),
    fork: helper("joined"),
    pause: computing(`() => ({ operation: "delay", ms: 60000 })`, "paused"),
    paused: helper("pack"),
    pack: task("pack", "done"),
    "for horn": computing(waitFor("horn"), "horn"),
    horn: helper("ship"),
    ship: task("ship", "done"),
    joined: computing(
      `({ results }) => ({ operation: "delay", ms: 90000, got: results.map(({ result }) => result.value) })`,
      "later",
    ),
    later: helper("one"),
    one: task("one", "two"),
    two: task("two", "three"),
    three: task("three", "four"),
    four: task("four", "five"),
    five: task("five", "done"),
    done: { Type: "Pass" },
  },
};

const events: readonly JsonObject[] = ["bell", "horn"].map((type) => ({
  specversion: "1.0",
  id: type,
  source: "test",
  type,
  data: null,
}));
const functions = ["order", "pack", "ship", "one", "two", "three", "four", "five"];

/** Runs the composition with kills. */
export const runKilled = (kills: readonly Kill[]): Promise<RunRecord> => runWithKills(composition, events, kills);

/** The faults of a run: it must end once with all functions called, and resume nothing twice. */
export function findFaults(seen: RunRecord): readonly string[] {
  const { outcomes, calls, keys, resumptions, manualResumptions, isStored } = seen;
  if (!isStored) return [];
  const [outcome] = outcomes;
  const twice = resumptions.filter((each, i) => resumptions.indexOf(each) !== i);
  const most = (name: string) => calls.filter((each) => each === name).length > 1 + manualResumptions;
  return [
    ...(outcomes.length === 1 ? [] : [`The end of the run was reported ${outcomes.length} times.`]),
    ...(outcome === undefined || outcome["status"] === "succeeded" ? [] : [`It ended as ${JSON.stringify(outcome)}.`]),
    ...functions.flatMap((name) => (calls.includes(name) ? [] : [`${name} was not called.`])),
    ...(hasSeveralKeys(keys) ? ["A repeated call had another idempotency key."] : []),
    ...functions.flatMap((name) =>
      most(name) ? [`${name} was called more often than the run was resumed by hand.`] : [],
    ),
    ...twice.map((each) => `${each} was resumed twice.`),
  ];
}

/** Whether calls of one function had different keys. Each is called by one state. */
function hasSeveralKeys(keys: readonly string[]): boolean {
  const distinct = [...new Set(keys)].map((each) => each.slice(0, each.indexOf(" ")));
  return new Set(distinct).size < distinct.length;
}

/** Random kills, determined by a seed. */
export function killsFor(seed: number, points: number): readonly Kill[] {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  random(1);
  return Array.from({ length: 1 + random(3) }, () => ({
    point: 1 + random(points),
    what: (["connection", "helper", "activation"] as const)[random(3)]!,
    isAfter: random(2) === 1,
  }));
}
