import { binary, literal, object, variable } from "../../expressions/index.ts";
import { freshNames } from "../../ir/names.ts";
import type { FunctionDefinition, Reference, Step, VariableDeclaration } from "../../ir/workflow.ts";
import { assertNever } from "../../json.ts";
import {
  assign,
  choose,
  complete,
  createStepIds,
  createStepWriter,
  type Fragment,
  sequence,
  spanOf,
  stepsIn,
} from "../shared/index.ts";
import { nameOf } from "./checks.ts";
import {
  arrival,
  type Common,
  current,
  goto,
  type Lowering,
  memberOf,
  onward,
  params,
  rejection,
  slotOf,
  type Writer,
} from "./context.ts";
import { hasFunction } from "./functions.ts";
import type { Stack } from "./stack.ts";
import { callAction, callFunction, giveValue } from "./tasks.ts";
import { type Visit, waysOf } from "./visits.ts";

/** The steps of a composition, over a variable for the parameters and one for each thing on the stack. */
export interface Lowered {
  readonly entry: Reference;
  readonly steps: readonly Step[];
  readonly variables: readonly VariableDeclaration[];
  readonly functions: readonly FunctionDefinition[];
}

/** Lowers a composition: a step or a few for each visit of a state. */
export function lowerVisits(lowering: Lowering): Lowered {
  const { visits, composition } = lowering;
  const ids = createStepIds();
  const common: Common = {
    ...lowering,
    ids,
    slots: [],
    variables: new Map(),
    entries: new Map(visits.all.map((visit) => [visit, ids.entry([], visit.name)])),
    onStack: new Map(),
    variableNames: freshNames([params, "error", "event", "run"]),
    endings: new Map(),
    called: new Map(),
    functionNames: freshNames([]),
  };
  defineActions(common);
  for (const visit of visits.all) lowerVisit(visit, common);
  return {
    entry: { name: common.entries.get(visits.all[0]!)!, span: spanOf(lowering, composition, "Entry") },
    steps: stepsIn(common),
    variables: [params, ...common.variables.keys()].map((name) => ({ name })),
    functions: [...common.called.values()],
  };
}

/** Actions keep their names; the functions of states get others. */
function defineActions({ visits, called, functionNames, document }: Common): void {
  for (const { state } of visits.all) {
    if (state.Type !== "Task" || state.Action === undefined || functionNames.has(state.Action)) continue;
    const name = functionNames.fresh(state.Action);
    called.set(`action ${name}`, { name, span: spanOf({ document }, state, "Action") });
  }
}

function lowerVisit(visit: Visit, common: Common): void {
  const { name, state, effect } = visit;
  const span = nameOf(common.composition, name, common.document);
  const construct = { noun: `${state.Type} state`, name, span };
  const steps = createStepWriter(construct, common.entries.get(visit)!, common.ids, common);
  const isFirst = common.visits.byState.get(name)?.[0] === visit;
  const nextId: Writer["nextId"] = (what) => {
    const next = steps.nextId(what);
    return { ...next, entry: next.entry && isFirst };
  };
  const writer: Writer = { ...steps, nextId, common, visit, span };
  complete(effect.kind === "violation" ? rejected(writer) : work(writer, effect.stack), span);
}

/** What a state does, up to where it leads. */
function work(writer: Writer, after: Stack | undefined): Fragment {
  const { visit, span } = writer;
  const { state, stack } = visit;
  const giving =
    (...values: Parameters<typeof assign>[3][]): Fragment =>
    (next) =>
      sequence(assign(writer, "values", span, ...values), goto(onward(writer)))(next);
  switch (state.Type) {
    case "Pass":
    case "Try":
    case "Catch":
    case "End":
      return giving();
    case "Push":
      return giving({ variable: slotOf(after!, writer), value: current });
    case "Let":
      return giving({ variable: slotOf(after!, writer), value: literal(state.Value) });
    case "Pop": {
      const value = object([
        ["result", current],
        ["params", variable(slotOf(stack!, writer))],
      ]);
      return giving({ variable: params, value });
    }
    case "Choice":
      return decide(writer, stack!);
    case "Task":
      if (state.Action !== undefined) return callAction(state.Action, writer);
      return hasFunction(state) ? callFunction(writer) : giveValue(state.Value!, writer);
    default:
      return assertNever(state);
  }
}

/** Takes what was pushed, and goes where `value` says. */
function decide(writer: Writer, stack: Stack): Fragment {
  const { visit, span } = writer;
  const taken = { variable: params, value: variable(slotOf(stack, writer)) };
  const [then, otherwise] = waysOf(visit).map((way) => arrival(way, writer));
  const when = binary("==", memberOf(current, "value"), literal(true));
  const take = (what: string, to: Reference) => () => sequence(assign(writer, what, span, taken), goto(to));
  return choose(writer, "choose", span, [{ when, span, build: take("then", then!) }], take("else", otherwise!));
}

/** A state that cannot do its work: nothing is done, and the run is over. */
const rejected = (writer: Writer): Fragment =>
  sequence(assign(writer, "nothing", writer.span), goto(rejection(writer)));
