import { binary, literal, variable } from "../../expressions/index.ts";
import type { State } from "../../generated/sm4c-definition.ts";
import type { Case, Reference } from "../../ir/workflow.ts";
import {
  assign,
  complete,
  declare,
  end,
  type Fragment,
  nothing,
  type Reserved,
  reserve,
  type Seen,
  type Writer as Steps,
  sequence,
  spanOf,
  writerOf,
} from "../shared/index.ts";
import { acted } from "./actions.ts";
import { type Context, data, dataSeen, temporary, type Writer } from "./context.ts";
import { valueAt } from "./expressions.ts";
import { type Leave, transitionsOf } from "./transitions.ts";

/** Writes the steps of a state: entering it, choosing a way on, and leaving it. */
export function lowerState(context: Context, scope: Pick<Steps, "slots" | "variables">, state: State): void {
  const construct = { noun: "state", name: state.name, span: spanOf(context, state, "name") };
  const steps = writerOf(construct, context.entries.get(state)!, context.ids, scope);
  const writer: Writer = { ...steps, context, place: { seen: seenIn(state) }, temporaries: new Map() };
  const before = scope.slots.length;
  const enter = sequence(filtered(writer, state), acted(writer, state, "enterAction", "enterResultHandler"));
  const first = complete(sequence(enter, transitionsOf(writer, state, leaving(writer, state))), construct.span);
  if (scope.slots.length === before) assign(writer, "pass", construct.span)(first);
}

/** The variable for what the filter of a state gives. */
const viewName = "view";

const seenIn = (state: State): Seen => (state.inputFilter === undefined ? dataSeen : { value: variable(viewName) });

/** What a state sees is made once, on entering. */
function filtered(writer: Writer, state: State): Fragment {
  if (state.inputFilter === undefined) return nothing;
  const value = valueAt(writer.context, state, "inputFilter", { seen: dataSeen });
  return assign(writer, "filter", spanOf(writer.context, state, "inputFilter"), {
    variable: declare(writer, viewName),
    value,
  });
}

/** So many ways out have an exit action each; more share one, behind which it is chosen where they lead. */
const mostCopies = 4;

/** The exit action, once for each state that the state leads to, and what follows. */
function leaving(writer: Writer, state: State): Leave {
  const { construct } = writer;
  const leave = (): Fragment => end(writer, "end", construct.span, { outcome: "leave", extent: "scope", value: data });
  const goOn = (target: Parameters<Leave>[0]): Fragment => (target ? () => target.reference : leave());
  const hasExit = state.exitAction !== undefined || state.exitResultHandler !== undefined;
  if (!hasExit) return goOn;
  const exit = (): Fragment => acted(writer, state, "exitAction", "exitResultHandler");
  const exits = new Map<State | undefined, Reference>();
  const targets = new Set((state.transitions ?? []).map(({ nextState }) => nextState?.toLowerCase()));
  if (targets.size > mostCopies) return sharedExit(writer, exit, goOn);
  return (target) => {
    const known = exits.get(target?.state) ?? complete(sequence(exit(), goOn(target)), construct.span);
    exits.set(target?.state, known);
    return () => known;
  };
}

/** One exit action for all ways out, which note where they lead. */
function sharedExit(writer: Writer, exit: () => Fragment, goOn: Leave): Leave {
  const { span } = writer.construct;
  const cases: Case[] = [];
  let entry: Reference | undefined;
  let which: Reserved | undefined;
  const name = temporary(writer, "leaving");
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
