import { stronglyConnectedComponents } from "../../../src/analysis/components.ts";
import { own } from "../../../src/json.ts";
import type { Composition } from "../composition.ts";

/** A composition in the form of openwhisk-composer 0.12, as its command `deploy` reads it. */
export interface ComposerFile {
  readonly composition: Component;
  readonly ast: Component;
  readonly version: "0.12.0";
}

/** What composer 0.12 makes conductors of: its primitives. */
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
 * A composition by the primitives of composer 0.12; undefined where it has none: loops, branches that meet at no one state, handlers that go on
 * elsewhere than what they handle for, and what is nested very deep. Both conductors do the same then: a function that fails leaves its variables as they were, and gives an error with its
 * name and message.
 */
export function composerFile({ Entry, Exit, States }: Composition): ComposerFile | undefined {
  const ways = waysIn(States, Entry, Exit);
  if (hasLoop(ways, States)) return undefined;
  const walker: Walker = { states: States, exit: Exit, joins: joinsIn(ways, States), own: ownNames(States), depth: 0 };
  try {
    const { components: made, at } = walk(walker, { from: Entry, stop: Exit, variables: [], isGiven: true });
    if (at !== Exit || leftIn(States[Exit])) return undefined;
    const composition = sequence(made);
    return { composition, ast: composition, version: "0.12.0" };
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}

/** A composition has no form in primitives. */
class Unfit extends Error {}

/** Where a composition is walked through. */
interface Walker {
  readonly states: { readonly [name: string]: Parts | undefined };
  readonly exit: string;
  /** Where the ways out of a `Choice` meet, by its name. */
  readonly joins: ReadonlyMap<string, string>;
  readonly own: OwnNames;
  /** How many components are around. */
  readonly depth: number;
}

/** Composer goes through a composition by recursion: what is nested deeper than this is not for it. */
const deepest = 200;

/** Names in functions that no function of the composition has for anything. */
interface OwnNames {
  readonly pushed: string;
  readonly before: string;
  readonly result: string;
  readonly thrown: string;
}

function ownNames(states: Composition["States"]): OwnNames {
  const text = JSON.stringify(states);
  const fresh = (wanted: string) => {
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}${count}`;
      if (!text.includes(name)) return name;
    }
  };
  return { pushed: fresh("pushed"), before: fresh("before"), result: fresh("given"), thrown: fresh("thrown") };
}

/** What a state may have of all that states have. */
interface Parts {
  readonly Type: string;
  readonly Next?: string;
  readonly Then?: string;
  readonly Else?: string;
  readonly Handler?: string;
  readonly Action?: string;
  readonly Function?: string;
  readonly Value?: unknown;
  readonly Symbol?: string;
}

/** From where to where components are wanted. */
interface Walk {
  readonly from: string;
  /** Absent: up to the state that closes what was open before. */
  readonly stop?: string;
  readonly variables: readonly string[];
  /** The params come from elsewhere, and may be an error: composer has nothing that keeps one and is not taken for a failure. */
  readonly isGiven?: boolean | undefined;
}

/** The components from a state up to another, and which that is. */
function walk(
  around: Walker,
  { from, stop, variables, isGiven = false }: Walk,
): { readonly components: readonly Component[]; readonly at: string } {
  const walker = { ...around, depth: around.depth + 1 };
  if (walker.depth > deepest) throw new Unfit();
  const components: Component[] = [];
  for (let at = from; ; ) {
    const state = own(walker.states as { readonly [name: string]: Parts }, at);
    if (at === stop || !state || /^(?:End|Catch|Choice|Pop)$/.test(state.Type)) return { components, at };
    const { made, next } = component(walker, state, {
      from: at,
      variables,
      isGiven: isGiven && components.length === 0,
    });
    if (made) components.push(made);
    // What leads to the exit from within never goes there: it fails.
    if (next === walker.exit && next !== stop) return { components, at: next };
    at = next;
  }
}

function component(
  walker: Walker,
  state: Parts,
  { variables, isGiven }: Walk,
): { readonly made?: Component; readonly next: string } {
  const { Type, Next } = state;
  if (Next === undefined) throw new Unfit();
  switch (Type) {
    case "Pass":
      return { next: Next };
    case "Task":
      return { made: task(state, variables, walker.own), next: Next };
    case "Let": {
      const symbol = state.Symbol!;
      const inside = [...variables.filter((other) => other !== symbol), symbol];
      const body = walk(walker, { from: Next, variables: inside, isGiven });
      if (body.components.length === 0) throw new Unfit();
      const made: Component = { type: "let", declarations: { [symbol]: state.Value }, components: body.components };
      return { made, next: closing(walker, body.at, "End") };
    }
    case "Try": {
      const body = walk(walker, { from: Next, variables, isGiven });
      const next = closing(walker, body.at, "Catch");
      const handler = walk(walker, { from: state.Handler!, stop: next, variables, isGiven: true });
      if (handler.at !== next && handler.at !== walker.exit) throw new Unfit();
      return { made: { type: "try", body: sequence(body.components), handler: sequence(handler.components) }, next };
    }
    case "Push":
      if (isGiven) throw new Unfit();
      return choice(walker, Next, variables);
    default:
      throw new Unfit();
  }
}

/** Where it goes on behind the state that closes something. */
function closing({ states }: Walker, at: string, type: "End" | "Catch"): string {
  const state = states[at];
  if (state?.Type !== type || state.Next === undefined) throw new Unfit();
  return state.Next;
}

/** A choice gives its branches the params that were pushed before its test: a variable keeps them meanwhile. */
function choice(
  walker: Walker,
  from: string,
  variables: readonly string[],
): { readonly made: Component; readonly next: string } {
  const { pushed } = walker.own;
  const test = walk(walker, { from, variables });
  const state = walker.states[test.at];
  const next = walker.joins.get(test.at);
  if (state?.Type !== "Choice" || next === undefined) throw new Unfit();
  const [consequent, alternate] = [state.Then!, state.Else!].map((branch) => {
    const { components, at } = walk(walker, { from: branch, stop: next, variables });
    if (at !== next && at !== walker.exit) throw new Unfit();
    return sequence([code(`() => ${pushed}`), ...components]);
  }) as [Component, Component];
  const decided = sequence([...test.components, code("({ value }) => ({ value: value === true })")]);
  const made: Component = { type: "if_nosave", test: decided, consequent, alternate };
  const keep = code(`(params) => { ${pushed} = params; }`);
  return { made: { type: "let", declarations: { [pushed]: null }, components: [keep, made] }, next };
}

/** Components in a row. One of none is no nothing: composer looks for an error in what it is given there. */
function sequence(components: readonly Component[]): Component {
  if (components.length === 0) throw new Unfit();
  return { type: "sequence", components };
}

const code = (text: string): Component => ({
  type: "function",
  function: { exec: { kind: "nodejs:default", code: text } },
});

function task({ Action, Function: text, Value }: Parts, variables: readonly string[], own: OwnNames): Component {
  if (Action !== undefined) return { type: "action", name: Action };
  return code(text === undefined ? `() => (${JSON.stringify(Value)})` : kept(text, variables, own));
}

/** A function that gives its failure as an error, with all variables as they were: composer itself says of it only where it was. */
function kept(text: string, variables: readonly string[], { before, result, thrown }: OwnNames): string {
  const names = `[${variables.join(", ")}]`;
  const back = variables.length === 0 ? "" : `    ${names} = ${before};\n`;
  return `(params) => {
  const ${before} = ${names};
  try {
    const ${result} = (${text})(params);
    return ${result} === undefined || typeof ${result}?.then === "function" ? {} : ${result};
  } catch (${thrown}) {
${back}    return { error: "An error has occurred: " + ${thrown} };
  }
}`;
}

/** Whether the last state does something itself. */
const leftIn = (state: Parts | undefined): boolean => state?.Type !== "Pass";

/** The states that each state leads to, but for handlers. What leads to the exit while something is open never goes there: it fails. */
function waysIn(states: Walker["states"], entry: string, exit: string): ReadonlyMap<string, readonly string[]> {
  const ways = new Map<string, readonly string[]>();
  const pending: { readonly name: string; readonly open: number }[] = [{ name: entry, open: 0 }];
  for (let top = pending.pop(); top; top = pending.pop()) {
    const { name, open } = top;
    const state = states[name];
    if (!state || ways.has(name)) continue;
    const left = open + (opening.has(state.Type) ? 1 : 0) - (closingTypes.has(state.Type) ? 1 : 0);
    const next = [state.Next, state.Then, state.Else].filter((each) => each !== undefined);
    ways.set(
      name,
      next.filter((each) => each !== exit || left === 0),
    );
    for (const each of next) if (each !== exit || left === 0) pending.push({ name: each, open: left });
    if (state.Handler !== undefined) pending.push({ name: state.Handler, open });
  }
  return ways;
}

const opening: ReadonlySet<string> = new Set(["Let", "Try", "Push"]);
const closingTypes: ReadonlySet<string> = new Set(["End", "Catch", "Choice", "Pop"]);

/** Whether something is done again, be it by a handler. */
function hasLoop(ways: ReadonlyMap<string, readonly string[]>, states: Walker["states"]): boolean {
  const next = (name: string) => {
    const handler = states[name]?.Handler;
    return [...(ways.get(name) ?? []), ...(handler === undefined ? [] : [handler])];
  };
  return stronglyConnectedComponents([...ways.keys()], next).some(
    (group) => group.length > 1 || next(group[0]!).includes(group[0]!),
  );
}

/** Where the ways out of each `Choice` meet: its nearest state that all ways go through which come to an end. */
function joinsIn(ways: ReadonlyMap<string, readonly string[]>, states: Walker["states"]): ReadonlyMap<string, string> {
  const behind = new Map<string, readonly string[]>();
  const joins = new Map<string, string>();
  for (const [name] of stronglyConnectedComponents([...ways.keys()], (each) => ways.get(each) ?? [])) {
    const next = (ways.get(name!) ?? []).map((each) => behind.get(each) ?? []);
    const living = next.filter((way) => way.length > 0);
    const [first = [], ...others] = living;
    const met = first.filter((each) => others.every((way) => way.includes(each)));
    const isEnd = (ways.get(name!) ?? []).length === 0 && states[name!]?.Type === "Pass";
    behind.set(name!, met.length > 0 || isEnd ? [name!, ...met] : []);
    if (states[name!]?.Type === "Choice" && met[0] !== undefined) joins.set(name!, met[0]);
  }
  return joins;
}
