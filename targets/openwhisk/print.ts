import { createNames } from "../../src/ir/names.ts";
import { assertNever, setOwn } from "../../src/json.ts";
import type { Composition, HelperPlacement, State } from "./composition.ts";
import { type OptimizedStates, optimizeStates } from "./select/peephole.ts";
import { helperDeclarations, printFunction, printStandaloneFunction } from "./select/print-function.ts";
import type { DraftState, StateFunction } from "./select/state-builder.ts";
import type { SelectedWorkflow } from "./select/workflow.ts";

/** Prints the file of a composition, with one line for each state and helper. */
export function printComposition(composition: Composition): string {
  const members = Object.entries(composition).map(([name, value]) => {
    const text = typeof value === "string" ? JSON.stringify(value) : printLines(value as object);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${members.join(",\n")}\n}\n`;
}

function printLines(members: object): string {
  const lines = Object.entries(members).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
}

/** Names the states, in their order. No state is called "", which denotes the end in this format. */
export function buildComposition(selected: SelectedWorkflow, helpers: HelperPlacement): Composition {
  const { entry: first, drafts, names } = namedStates(selected, helpers);
  const name = (label: string): string => names.get(label)!;
  const states: { [name: string]: State } = {};
  for (const draft of drafts) setOwn(states, name(draft.label), stateOf(draft, name, printerOf(selected, helpers)));
  const called = drafts.flatMap(({ operation }) => (operation.kind === "function" ? [...operation.body.helpers] : []));
  const isShared = helpers === "composition" && called.length > 0;
  const shared = isShared
    ? { Helpers: Object.fromEntries(helperDeclarations(new Set(called), selected.constants)) }
    : {};
  return { Entry: name(first), Exit: name(selected.exit), States: states, ...shared };
}

/** The optimized states of a composition with their names. */
interface NamedStates extends OptimizedStates {
  readonly names: ReadonlyMap<string, string>;
}

const known = new WeakMap<SelectedWorkflow, Map<HelperPlacement, NamedStates>>();

function namedStates(selected: SelectedWorkflow, helpers: HelperPlacement): NamedStates {
  const found = known.get(selected) ?? new Map<HelperPlacement, NamedStates>();
  known.set(selected, found);
  const named = found.get(helpers) ?? nameStates(selected, helpers === "functions");
  found.set(helpers, named);
  return named;
}

/** Names states. In plain Composer JSON, the stack is balanced. */
function nameStates(selected: SelectedWorkflow, isPlain: boolean): NamedStates {
  const { builder } = selected;
  const fresh = createNames(builder.fixedLabels);
  const optimized = optimizeStates(selected, isPlain);
  const names = optimized.drafts.map(({ label, name }) => {
    const wanted = name === "" ? "state" : name;
    return [label, builder.fixedLabels.has(label) ? label : fresh.fresh(wanted)] as const;
  });
  return { ...optimized, names: new Map(names) };
}

/** The states whose calls are repeated if they fail. */
export function retriedStates(selected: SelectedWorkflow, helpers: HelperPlacement): readonly string[] {
  const { drafts, names } = namedStates(selected, helpers);
  const isRetried = ({ operation }: DraftState) => operation.kind === "action" && operation.isRetried === true;
  return drafts.filter(isRetried).map(({ label }) => names.get(label)!);
}

/** Prints functions, with the helpers that they call or without. */
const printerOf =
  ({ constants }: SelectedWorkflow, helpers: HelperPlacement) =>
  (body: StateFunction) =>
    helpers === "composition"
      ? printFunction(body, body.parameter)
      : printStandaloneFunction(body, body.parameter, constants);

/** The functions that states call, by state. */
export function calledFunctions(selected: SelectedWorkflow, helpers: HelperPlacement): ReadonlyMap<string, string> {
  const { drafts, names } = namedStates(selected, helpers);
  return new Map(
    drafts.flatMap(({ label, operation }) =>
      operation.kind === "action" && operation.function !== undefined
        ? [[names.get(label)!, operation.function] as const]
        : [],
    ),
  );
}

function stateOf(
  { operation, next }: DraftState,
  name: (label: string) => string,
  textOf: (body: StateFunction) => string,
): State {
  const after = next === undefined ? {} : { Next: name(next) };
  switch (operation.kind) {
    case "pass":
      return { Type: "Pass", ...after };
    case "push":
      return { Type: "Push", ...after };
    case "catch":
      return { Type: "Catch", ...after };
    case "end":
      return { Type: "End", ...after };
    case "action":
      return { Type: "Task", Action: operation.action, ...after };
    case "value":
      return { Type: "Task", Value: operation.value, ...after };
    case "function":
      return { Type: "Task", Function: textOf(operation.body), ...after };
    case "choice":
      return { Type: "Choice", Then: name(operation.whenTrue), Else: name(operation.otherwise) };
    case "try":
      return { Type: "Try", Handler: name(operation.handler), ...after };
    case "let":
      return { Type: "Let", Symbol: operation.symbol, Value: operation.value, ...after };
    default:
      return assertNever(operation);
  }
}
