import { binary, literal, variable } from "../../expressions/index.ts";
import type { State } from "../../generated/sm4c-definition.ts";
import type { ChooseCase, Reference } from "../../ir/workflow.ts";
import type { JqBinding } from "../shared/jq.ts";
import { spanOf } from "../shared/properties.ts";
import {
  assign,
  complete,
  createStepWriter,
  declare,
  end,
  noSteps,
  type ReservedStep,
  reserve,
  type StepFragment,
  type StepWriter as Steps,
  sequence,
} from "../shared/steps.ts";
import { lowerActionWithHandler } from "./actions.ts";
import { type Context, data, dataBinding, freshTemporary, type Writer } from "./context.ts";
import { valueAt } from "./expressions.ts";
import { type LeaveState, lowerTransitions } from "./transitions.ts";

/** Lowers a state: entry action, transitions, exit action. */
export function lowerState(context: Context, scope: Pick<Steps, "slots" | "variables">, state: State): void {
  const construct = { noun: "state", name: state.name, span: spanOf(context, state, "name") };
  const steps = createStepWriter(construct, context.entries.get(state)!, context.ids, scope);
  const writer: Writer = { ...steps, context, scope: { input: inputOf(state) }, temporaries: new Map() };
  const before = scope.slots.length;
  const enter = sequence(
    inputFilter(writer, state),
    lowerActionWithHandler(writer, state, "enterAction", "enterResultHandler"),
  );
  const first = complete(sequence(enter, lowerTransitions(writer, state, leaveState(writer, state))), construct.span);
  if (scope.slots.length === before) assign(writer, "pass", construct.span)(first);
}

const inputName = "view";

const inputOf = (state: State): JqBinding =>
  state.inputFilter === undefined ? dataBinding : { value: variable(inputName) };

function inputFilter(writer: Writer, state: State): StepFragment {
  if (state.inputFilter === undefined) return noSteps;
  const value = valueAt(writer.context, state, "inputFilter", { input: dataBinding });
  return assign(writer, "filter", spanOf(writer.context, state, "inputFilter"), {
    variable: declare(writer, inputName),
    value,
  });
}

/** With more targets, exits share one copy of the exit action. */
const maxExitCopies = 4;

function leaveState(writer: Writer, state: State): LeaveState {
  const { construct } = writer;
  const leave = (): StepFragment =>
    end(writer, "end", construct.span, { outcome: "leave", extent: "scope", value: data });
  const goOn = (target: Parameters<LeaveState>[0]): StepFragment => (target ? () => target.reference : leave());
  const hasExit = state.exitAction !== undefined || state.exitResultHandler !== undefined;
  if (!hasExit) return goOn;
  const exit = (): StepFragment => lowerActionWithHandler(writer, state, "exitAction", "exitResultHandler");
  const exits = new Map<State | undefined, Reference>();
  const targets = new Set((state.transitions ?? []).map(({ nextState }) => nextState?.toLowerCase()));
  if (targets.size > maxExitCopies) return sharedExit(writer, exit, goOn);
  return (target) => {
    const known = exits.get(target?.state) ?? complete(sequence(exit(), goOn(target)), construct.span);
    exits.set(target?.state, known);
    return () => known;
  };
}

function sharedExit(writer: Writer, exit: () => StepFragment, goOn: LeaveState): LeaveState {
  const { span } = writer.construct;
  const cases: ChooseCase[] = [];
  let entry: Reference | undefined;
  let which: ReservedStep | undefined;
  const name = freshTemporary(writer, "leaving");
  return (target) => {
    if (!entry || !which) {
      const steps = exit();
      which = reserve(writer, "which", span);
      entry = steps(which.reference);
    }
    const index = cases.length;
    const next = complete(goOn(target), span);
    cases.push({ when: binary("==", variable(name), literal(index)), next, span: next.span });
    which.fill({ ...which.base, kind: "choose", cases: cases.slice(0, -1), otherwise: next });
    const shared = entry;
    return sequence(assign(writer, "leave", span, { variable: name, value: literal(index) }), () => shared);
  };
}
