import { stronglyConnectedComponents } from "../../../src/analysis/components.ts";
import { own } from "../../../src/json.ts";
import type { Composition, StateFields } from "../composition.ts";

/** A composition in the format of openwhisk-composer 0.12, as its command `deploy` reads it. */
export interface ComposerFile {
  readonly composition: Component;
  readonly ast: Component;
  readonly version: "0.12.0";
}

/** A combinator of composer 0.12. */
export type Component =
  | { readonly type: "sequence"; readonly components: readonly Component[] }
  | { readonly type: "action"; readonly name: string }
  | {
      readonly type: "function";
      readonly function: { readonly exec: { readonly kind: string; readonly code: string } };
    }
  | {
      readonly type: "let";
      readonly declarations: { readonly [symbol: string]: unknown };
      readonly components: readonly Component[];
    }
  | { readonly type: "try"; readonly body: Component; readonly handler: Component }
  | {
      readonly type: "if_nosave";
      readonly test: Component;
      readonly consequent: Component;
      readonly alternate: Component;
    };

/**
 * Expresses a composition with the combinators of composer 0.12. Returns undefined for loops, branches that do not
 * merge, handlers that do not continue after their `try`, and deep nesting.
 */
export function composerFile({ Entry, Exit, States }: Composition): ComposerFile | undefined {
  const edges = edgesOf(States, Entry, Exit);
  if (hasLoop(edges, States)) return undefined;
  const walker: Walker = {
    states: States,
    exit: Exit,
    mergePoints: mergePointsOf(edges, States),
    names: freshNames(States),
    depth: 0,
  };
  try {
    const { components: result, at } = walk(walker, { from: Entry, stop: Exit, variables: [], mayBeError: true });
    if (at !== Exit || hasOperation(States[Exit])) return undefined;
    const composition = sequence(result);
    return { composition, ast: composition, version: "0.12.0" };
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

class Inexpressible extends Error {}

interface Walker {
  readonly states: { readonly [name: string]: StateFields | undefined };
  readonly exit: string;
  /** Where the paths of a `Choice` merge. */
  readonly mergePoints: ReadonlyMap<string, string>;
  readonly names: FreshNames;
  readonly depth: number;
}

/** Composer is recursive and fails on deeper nesting. */
const maxDepth = 200;

interface FreshNames {
  readonly pushed: string;
  readonly before: string;
  readonly result: string;
  readonly thrown: string;
}

function freshNames(states: Composition["States"]): FreshNames {
  const text = JSON.stringify(states);
  const fresh = (wanted: string) => {
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}${count}`;
      if (!text.includes(name)) return name;
    }
  };
  return { pushed: fresh("pushed"), before: fresh("before"), result: fresh("given"), thrown: fresh("thrown") };
}

interface Walk {
  readonly from: string;
  /** Undefined: up to the state that closes the enclosing one. */
  readonly stop?: string;
  readonly variables: readonly string[];
  /** Whether the params may be an error that is not a failure. Composer cannot keep those. */
  readonly mayBeError?: boolean | undefined;
}

/** Translates states up to `stop`. `at` is where translation has stopped. */
function walk(
  parent: Walker,
  { from, stop, variables, mayBeError = false }: Walk,
): { readonly components: readonly Component[]; readonly at: string } {
  const walker = { ...parent, depth: parent.depth + 1 };
  if (walker.depth > maxDepth) throw new Inexpressible();
  const components: Component[] = [];
  for (let at = from; ; ) {
    const state = own(walker.states as { readonly [name: string]: StateFields }, at);
    if (at === stop || !state || /^(?:End|Catch|Choice|Pop)$/.test(state.Type)) return { components, at };
    const { result, next } = component(walker, state, {
      from: at,
      variables,
      mayBeError: mayBeError && components.length === 0,
    });
    if (result) components.push(result);
    // From a nested state the exit always fails.
    if (next === walker.exit && next !== stop) return { components, at: next };
    at = next;
  }
}

function component(
  walker: Walker,
  state: StateFields,
  { variables, mayBeError }: Walk,
): { readonly result?: Component; readonly next: string } {
  const { Type, Next } = state;
  if (Next === undefined) throw new Inexpressible();
  switch (Type) {
    case "Pass":
      return { next: Next };
    case "Task":
      return { result: task(state, variables, walker.names), next: Next };
    case "Let": {
      const symbol = state.Symbol!;
      const inside = [...variables.filter((other) => other !== symbol), symbol];
      const body = walk(walker, { from: Next, variables: inside, mayBeError });
      if (body.components.length === 0) throw new Inexpressible();
      const result: Component = { type: "let", declarations: { [symbol]: state.Value }, components: body.components };
      return { result, next: stateAfterClosing(walker, body.at, "End") };
    }
    case "Try": {
      const body = walk(walker, { from: Next, variables, mayBeError });
      const next = stateAfterClosing(walker, body.at, "Catch");
      const handler = walk(walker, { from: state.Handler!, stop: next, variables, mayBeError: true });
      if (handler.at !== next && handler.at !== walker.exit) throw new Inexpressible();
      return { result: { type: "try", body: sequence(body.components), handler: sequence(handler.components) }, next };
    }
    case "Push":
      if (mayBeError) throw new Inexpressible();
      return choice(walker, Next, variables);
    default:
      throw new Inexpressible();
  }
}

function stateAfterClosing({ states }: Walker, at: string, type: "End" | "Catch"): string {
  const state = states[at];
  if (state?.Type !== type || state.Next === undefined) throw new Inexpressible();
  return state.Next;
}

/** A variable keeps the params for the branches. */
function choice(
  walker: Walker,
  from: string,
  variables: readonly string[],
): { readonly result: Component; readonly next: string } {
  const { pushed } = walker.names;
  const test = walk(walker, { from, variables });
  const state = walker.states[test.at];
  const next = walker.mergePoints.get(test.at);
  if (state?.Type !== "Choice" || next === undefined) throw new Inexpressible();
  const [consequent, alternate] = [state.Then!, state.Else!].map((branch) => {
    const { components, at } = walk(walker, { from: branch, stop: next, variables });
    if (at !== next && at !== walker.exit) throw new Inexpressible();
    return sequence([code(`() => ${pushed}`), ...components]);
  }) as [Component, Component];
  const decided = sequence([...test.components, code("({ value }) => ({ value: value === true })")]);
  const result: Component = { type: "if_nosave", test: decided, consequent, alternate };
  const keep = code(`(params) => { ${pushed} = params; }`);
  return { result: { type: "let", declarations: { [pushed]: null }, components: [keep, result] }, next };
}

/** Composer would treat the input of an empty sequence as a possible error. */
function sequence(components: readonly Component[]): Component {
  if (components.length === 0) throw new Inexpressible();
  return { type: "sequence", components };
}

const code = (text: string): Component => ({
  type: "function",
  function: { exec: { kind: "nodejs:default", code: text } },
});

function task(
  { Action, Function: text, Value }: StateFields,
  variables: readonly string[],
  names: FreshNames,
): Component {
  if (Action !== undefined) return { type: "action", name: Action };
  return code(text === undefined ? `() => (${JSON.stringify(Value)})` : guardedFunction(text, variables, names));
}

/** Restores the variables and returns the error if a function fails. Composer only logs it. */
function guardedFunction(text: string, variables: readonly string[], { before, result, thrown }: FreshNames): string {
  const names = `[${variables.join(", ")}]`;
  const restore = variables.length === 0 ? "" : `    ${names} = ${before};\n`;
  return `(params) => {
  const ${before} = ${names};
  try {
    const ${result} = (${text})(params);
    return ${result} === undefined || typeof ${result}?.then === "function" ? {} : ${result};
  } catch (${thrown}) {
${restore}    return { error: "An error has occurred: " + ${thrown} };
  }
}`;
}

const hasOperation = (state: StateFields | undefined): boolean => state?.Type !== "Pass";

/** The successors of each state, except handlers and exits from nested states, which always fail. */
function edgesOf(states: Walker["states"], entry: string, exit: string): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, readonly string[]>();
  const pending: { readonly name: string; readonly openCount: number }[] = [{ name: entry, openCount: 0 }];
  for (let top = pending.pop(); top; top = pending.pop()) {
    const { name, openCount } = top;
    const state = states[name];
    if (!state || edges.has(name)) continue;
    const openAfter = openCount + (openingTypes.has(state.Type) ? 1 : 0) - (closingTypes.has(state.Type) ? 1 : 0);
    const next = [state.Next, state.Then, state.Else].filter((each) => each !== undefined);
    edges.set(
      name,
      next.filter((each) => each !== exit || openAfter === 0),
    );
    for (const each of next) if (each !== exit || openAfter === 0) pending.push({ name: each, openCount: openAfter });
    if (state.Handler !== undefined) pending.push({ name: state.Handler, openCount });
  }
  return edges;
}

const openingTypes: ReadonlySet<string> = new Set(["Let", "Try", "Push"]);
const closingTypes: ReadonlySet<string> = new Set(["End", "Catch", "Choice", "Pop"]);

/** Whether a state can repeat, even through a handler. */
function hasLoop(edges: ReadonlyMap<string, readonly string[]>, states: Walker["states"]): boolean {
  const next = (name: string) => {
    const handler = states[name]?.Handler;
    return [...(edges.get(name) ?? []), ...(handler === undefined ? [] : [handler])];
  };
  return stronglyConnectedComponents([...edges.keys()], next).some(
    (group) => group.length > 1 || next(group[0]!).includes(group[0]!),
  );
}

/** The nearest state on all paths of each `Choice`. */
function mergePointsOf(
  edges: ReadonlyMap<string, readonly string[]>,
  states: Walker["states"],
): ReadonlyMap<string, string> {
  const pathsFrom = new Map<string, readonly string[]>();
  const mergePoints = new Map<string, string>();
  for (const [name] of stronglyConnectedComponents([...edges.keys()], (each) => edges.get(each) ?? [])) {
    const next = (edges.get(name!) ?? []).map((each) => pathsFrom.get(each) ?? []);
    const endingPaths = next.filter((path) => path.length > 0);
    const [first = [], ...others] = endingPaths;
    const merged = first.filter((each) => others.every((path) => path.includes(each)));
    const isEnd = (edges.get(name!) ?? []).length === 0 && states[name!]?.Type === "Pass";
    pathsFrom.set(name!, merged.length > 0 || isEnd ? [name!, ...merged] : []);
    if (states[name!]?.Type === "Choice" && merged[0] !== undefined) mergePoints.set(name!, merged[0]);
  }
  return mergePoints;
}
