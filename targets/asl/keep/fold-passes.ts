import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import { mapScopesOf, type NativeScope, type NativeState, redirected, targetsOf } from "./machine.ts";

type Machine = JsonObject & NativeScope;

/**
 * Removes Pass states whose data a neighbor of the same scope can make: those without effect, those that make the
 * result of the state before them, and those that make the argument of the state behind them. A Pass that ends its scope
 * without effect stays, because its name is an outcome.
 *
 *   Load (Task) → Shape (Pass, Parameters) → Pay
 *   → Load (Task, ResultSelector) → Pay
 */
export function foldPasses(machine: Machine): Machine {
  const language = own(machine, "QueryLanguage") === "JSONata" ? "JSONata" : "JSONPath";
  return foldScope(machine, language);
}

type Dialect = "JSONPath" | "JSONata";

function foldScope(given: Machine, dialect: Dialect): Machine {
  const States = Object.fromEntries(
    Object.entries(given.States).map(([name, state]) => [
      name,
      mapScopesOf(state, (scope) => foldScope(scope as Machine, dialect)),
    ]),
  );
  let scope: Machine = { ...given, States };
  for (;;) {
    const next = foldOne(scope, dialect);
    if (!next) return scope;
    scope = next;
  }
}

/** Folds the first Pass that a neighbor can take; undefined if no neighbor can. */
function foldOne(scope: Machine, dialect: Dialect): Machine | undefined {
  for (const [name, state] of Object.entries(scope.States)) {
    if (state["Type"] !== "Pass") continue;
    const pass: FoldedPass = { name, state, dialect: dialectOf(state, dialect), scope, machineDialect: dialect };
    const folded = withoutEffect(pass) ?? intoPredecessor(pass) ?? intoSuccessor(pass);
    if (folded) return folded;
  }
  return undefined;
}

interface FoldedPass {
  readonly name: string;
  readonly state: NativeState;
  readonly dialect: Dialect;
  readonly scope: Machine;
  readonly machineDialect: Dialect;
}

const dialectOf = (state: NativeState, machine: Dialect): Dialect =>
  own(state, "QueryLanguage") === "JSONata" ? "JSONata" : machine;

/** Whether a state has no other fields than these, apart from those that say nothing about data. */
const hasOnly = (state: NativeState, ...keys: readonly string[]): boolean =>
  Object.entries(state).every(
    ([key, value]) =>
      ["Type", "Comment", "QueryLanguage", "Next", "End", ...keys].includes(key) ||
      (["InputPath", "ResultPath", "OutputPath"].includes(key) && value === "$"),
  );

/** Skips a Pass that changes nothing. */
function withoutEffect({ name, state, scope }: FoldedPass): Machine | undefined {
  const next = own(state, "Next");
  if (!hasOnly(state) || typeof next !== "string" || next === name) return undefined;
  return removed(scope, name, (each) => redirected(each, (to) => (to === name ? next : to)), next);
}

/** Makes the result of a Pass in the only state that leads to it. */
function intoPredecessor(pass: FoldedPass): Machine | undefined {
  const { name, state, scope, dialect } = pass;
  if (scope.StartAt === name || own(state, "Next") === name) return undefined;
  const leading = Object.entries(scope.States).flatMap(([from, each]) =>
    targetsOf(each)
      .filter((to) => to === name)
      .map(() => [from, each] as const),
  );
  const [first, second] = leading;
  if (!first || second) return undefined;
  const [from, before] = first;
  if (own(before, "Next") !== name || dialectOf(before, pass.machineDialect) !== dialect) return undefined;
  const made = dialect === "JSONPath" ? selectedBy(before, state) : computedBy(before, state);
  if (!made) return undefined;
  const { Next: _, ...rest } = made;
  const exit = own(state, "Next") === undefined ? { End: true } : { Next: own(state, "Next")! };
  return removed(scope, name, (each, at) => (at === from ? { ...rest, ...exit } : each));
}

const results: ReadonlySet<Json> = new Set(["Task", "Parallel", "Map"]);

/** A state in JSONPath with the result of a Pass behind it. */
function selectedBy(before: NativeState, pass: NativeState): NativeState | undefined {
  const isWhole = (state: NativeState): boolean =>
    ["ResultPath", "OutputPath"].every((key) => (own(state, key) ?? "$") === "$" && own(state, key) !== null);
  const isPlain = !["ResultSelector", "Assign"].some((key) => Object.hasOwn(before, key)) && isWhole(before);
  if (!results.has(before["Type"]!) || !isPlain || readsPlace(pass)) return undefined;
  if (hasOnly(pass, "Assign"))
    return Object.hasOwn(pass, "Assign") ? { ...before, Assign: pass["Assign"]! } : undefined;
  const template = templateOf(pass);
  return template && { ...before, ResultSelector: template };
}

/** The template with the result of a Pass in JSONPath that does nothing else. */
function templateOf(pass: NativeState): JsonObject | undefined {
  const parameters = hasOnly(pass, "Parameters") ? own(pass, "Parameters") : undefined;
  if (isObject(parameters)) return parameters;
  const result = hasOnly(pass, "Result") ? own(pass, "Result") : undefined;
  return isObject(result) && !JSON.stringify(result).includes('.$":') ? result : undefined;
}

/** Whether a value depends on the state that computes it, or is another each time. */
const readsPlace = (value: Json): boolean =>
  /\$\$(?!\.(?:Execution|StateMachine)\b)|\$states\.context(?!\.(?:Execution|StateMachine)\b)|States\.(?:UUID|MathRandom)|\$(?:now|millis|random|uuid)\b/.test(
    JSON.stringify(value),
  );

/** A state in JSONata with the output of a Pass behind it. Its input becomes the result of the state. */
function computedBy(before: NativeState, pass: NativeState): NativeState | undefined {
  const isCaught = ["Retry", "Catch"].some((key) => Object.hasOwn(before, key));
  const isPlain = !["Output", "Assign"].some((key) => Object.hasOwn(before, key));
  if (!results.has(before["Type"]!) || !isPlain || isCaught || readsPlace(pass)) return undefined;
  if (!hasOnly(pass, "Output", "Assign") || hasOnly(pass)) return undefined;
  const fields = Object.entries(pass).filter(([key]) => key === "Output" || key === "Assign");
  const changed = fields.map(([key, value]) => [key, overResult(value)] as const);
  if (changed.some(([, value]) => value === undefined)) return undefined;
  return { ...before, ...(Object.fromEntries(changed) as JsonObject) };
}

/** A value over `$states.result` instead of `$states.input`; undefined if strings or patterns may contain that too. */
function overResult(value: Json): Json | undefined {
  const text = JSON.stringify(value);
  if (!text.includes("$states.input")) return value;
  const inside = [...text.matchAll(/\{%(.*?)%\}/gs)].map(([, expression]) => expression!.replaceAll('\\"', "'"));
  if (inside.some((each) => /['`/\\]/.test(each))) return undefined;
  return JSON.parse(text.replace(/\$states\.input\b/g, "$states.result")) as Json;
}

/** Makes the argument of the state behind a Pass in that state. */
function intoSuccessor({ name, state, scope, dialect, machineDialect }: FoldedPass): Machine | undefined {
  const to = own(state, "Next");
  if (typeof to !== "string" || to === name) return undefined;
  const after = scope.States[to]!;
  const entries = Object.values(scope.States)
    .flatMap(targetsOf)
    .filter((each) => each === to).length;
  const isOnly = entries === 1 && scope.StartAt !== to && dialectOf(after, machineDialect) === dialect;
  if (!isOnly || !["Task", "Parallel"].includes(String(after["Type"])) || readsPlace(state)) return undefined;
  const argument = dialect === "JSONPath" ? parametersFor(after, state) : argumentsFor(after, state);
  if (argument === undefined) return undefined;
  const key = dialect === "JSONPath" ? "Parameters" : "Arguments";
  return removed(
    scope,
    name,
    (each, at) => redirected(at === to ? withField(each, key, argument) : each, (next) => (next === name ? to : next)),
    to,
  );
}

function parametersFor(after: NativeState, pass: NativeState): Json | undefined {
  const replaces = (owner: JsonObject): boolean =>
    own(owner, "ResultPath") === undefined || own(owner, "ResultPath") === "$";
  const catchers = (own(after, "Catch") ?? []) as readonly JsonObject[];
  const readsInput = ["InputPath", "Parameters", "TimeoutSecondsPath", "HeartbeatSecondsPath"].some((key) =>
    Object.hasOwn(after, key),
  );
  return !readsInput && [after, ...catchers].every(replaces) ? templateOf(pass) : undefined;
}

function argumentsFor(after: NativeState, pass: NativeState): Json | undefined {
  const isCaught = ["Retry", "Catch", "Arguments"].some((key) => Object.hasOwn(after, key));
  const { Branches: _, ...fields } = after;
  const readsInput = JSON.stringify(fields).includes("$states.input") || /\$states(?!\.)/.test(JSON.stringify(fields));
  return !isCaught && !readsInput && hasOnly(pass, "Output") ? own(pass, "Output") : undefined;
}

/** A state with a field behind those that say what it is. */
function withField(state: NativeState, key: string, value: Json): NativeState {
  const entries = Object.entries(state);
  const at = entries.findLastIndex(([each]) => ["Type", "Comment", "QueryLanguage", "Resource"].includes(each)) + 1;
  return Object.fromEntries([...entries.slice(0, at), [key, value], ...entries.slice(at)]);
}

/** A scope without a state. `next`: where the scope begins if that was its first. */
function removed(
  scope: Machine,
  name: string,
  change: (state: NativeState, name: string) => NativeState,
  next = scope.StartAt,
): Machine {
  const kept = Object.entries(scope.States).filter(([each]) => each !== name);
  return {
    ...scope,
    StartAt: scope.StartAt === name ? next : scope.StartAt,
    States: Object.fromEntries(kept.map(([each, state]) => [each, change(state, each)])),
  };
}
