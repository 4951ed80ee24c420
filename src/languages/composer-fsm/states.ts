import { binary, literal, object, variable } from "../../expressions/index.ts";
import { createNames } from "../../ir/names.ts";
import type { FunctionDefinition, Reference, ScopeVariable, Step } from "../../ir/workflow.ts";
import { assertNever } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import {
  assign,
  choose,
  complete,
  createStepIds,
  createStepWriter,
  type StepFragment,
  sequence,
  stepsIn,
} from "../shared/steps.ts";
import { nameSpan } from "./checks.ts";
import {
  type CompositionFacts,
  type Context,
  currentParams,
  goto,
  memberOf,
  nextTarget,
  params,
  rejectedEnd,
  stackVariable,
  visitReference,
  type Writer,
} from "./context.ts";
import { hasFunction } from "./functions.ts";
import type { Stack } from "./stack.ts";
import { lowerAction, lowerFunction, lowerValue } from "./tasks.ts";
import { edgesOf, type Visit } from "./visits.ts";

/** The steps and variables of a composition. */
export interface LoweredComposition {
  readonly entry: Reference;
  readonly steps: readonly Step[];
  readonly variables: readonly ScopeVariable[];
  readonly functions: readonly FunctionDefinition[];
}

/** Lowers each visit to a few steps. */
export function lowerVisits(facts: CompositionFacts): LoweredComposition {
  const { visits, composition } = facts;
  const ids = createStepIds();
  const context: Context = {
    ...facts,
    ids,
    slots: [],
    variables: new Map(),
    entries: new Map(visits.all.map((visit) => [visit, ids.entry([], visit.name)])),
    stackVariables: new Map(),
    variableNames: createNames([params, "error", "event", "run"]),
    endings: new Map(),
    calledFunctions: new Map(),
    functionNames: createNames([]),
  };
  defineActions(context);
  for (const visit of visits.all) lowerVisit(visit, context);
  return {
    entry: { name: context.entries.get(visits.all[0]!)!, span: spanOf(facts, composition, "Entry") },
    steps: stepsIn(context),
    variables: [params, ...context.variables.keys()].map((name) => ({ name })),
    functions: [...context.calledFunctions.values()],
  };
}

function defineActions({ visits, calledFunctions, functionNames, document }: Context): void {
  for (const { state } of visits.all) {
    if (state.Type !== "Task" || state.Action === undefined || functionNames.has(state.Action)) continue;
    const name = functionNames.fresh(state.Action);
    calledFunctions.set(`action ${name}`, { name, span: spanOf({ document }, state, "Action") });
  }
}

function lowerVisit(visit: Visit, context: Context): void {
  const { name, state, effect } = visit;
  const span = nameSpan(context.composition, name, context.document);
  const construct = { noun: `${state.Type} state`, name, span };
  const steps = createStepWriter(construct, context.entries.get(visit)!, context.ids, context);
  const isFirst = context.visits.byState.get(name)?.[0] === visit;
  const nextId: Writer["nextId"] = (what) => {
    const next = steps.nextId(what);
    return { ...next, entry: next.entry && isFirst };
  };
  const writer: Writer = { ...steps, nextId, context, visit, span };
  complete(effect.kind === "violation" ? rejectRun(writer) : lowerWork(writer, effect.stack), span);
}

function lowerWork(writer: Writer, after: Stack | undefined): StepFragment {
  const { visit, span } = writer;
  const { state, stack } = visit;
  const giving =
    (...values: Parameters<typeof assign>[3][]): StepFragment =>
    (next) =>
      sequence(assign(writer, "values", span, ...values), goto(nextTarget(writer)))(next);
  switch (state.Type) {
    case "Pass":
    case "Try":
    case "Catch":
    case "End":
      return giving();
    case "Push":
      return giving({ variable: stackVariable(after!, writer), value: currentParams });
    case "Let":
      return giving({ variable: stackVariable(after!, writer), value: literal(state.Value) });
    case "Pop": {
      const value = object([
        ["result", currentParams],
        ["params", variable(stackVariable(stack!, writer))],
      ]);
      return giving({ variable: params, value });
    }
    case "Choice":
      return lowerChoice(writer, stack!);
    case "Task":
      if (state.Action !== undefined) return lowerAction(state.Action, writer);
      return hasFunction(state) ? lowerFunction(writer) : lowerValue(state.Value!, writer);
    default:
      return assertNever(state);
  }
}

function lowerChoice(writer: Writer, stack: Stack): StepFragment {
  const { visit, span } = writer;
  const taken = { variable: params, value: variable(stackVariable(stack, writer)) };
  const [then, otherwise] = edgesOf(visit).map((edge, i) => visitReference(edge, writer, i === 0 ? "Then" : "Else"));
  const when = binary("==", memberOf(currentParams, "value"), literal(true));
  const take = (what: string, to: Reference) => () => sequence(assign(writer, what, span, taken), goto(to));
  return choose(writer, "choose", span, [{ when, span, build: take("then", then!) }], take("else", otherwise!));
}

const rejectRun = (writer: Writer): StepFragment =>
  sequence(assign(writer, "nothing", writer.span), goto(rejectedEnd(writer)));
