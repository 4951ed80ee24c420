import { collect, comma, type Expression, literal } from "../../expressions/index.ts";
import { assign, end, type Fragment, nothing, spanOf } from "../shared/index.ts";
import { data, type Writer } from "./context.ts";
import { missingNext } from "./diagnostics/kinds.ts";
import { noteFilter, outputOf, selection } from "./filters.ts";
import { stateNamed } from "./plan.ts";

/** The filter through which a state gets its data. */
export function inputFilter(writer: Writer): Fragment {
  const { context, state } = writer;
  noteFilter(context, state);
  const select = selection(context, state, "InputPath");
  return select ? assignData(writer, "input", select(data)) : nothing;
}

/** What a state has come to goes through its result and output paths. */
export function outputFilter(writer: Writer, value: Expression = data): Fragment {
  const output = outputOf(writer.context, writer.state);
  if (!output && value === data) return nothing;
  return assignData(writer, "output", output ? output.change(value) : value);
}

const assignData = (writer: Writer, what: string, value: Expression): Fragment =>
  assign(writer, what, writer.construct.span, { variable: "data", value });

/** Marks a state of which nothing could be read but that it is there. */
export const unread = "x-unread";

/** Goes on to the state that `owner[key]` names; where it names none, a branch ends. */
export function leave(writer: Writer, owner: object, key = "next-state"): Fragment {
  const { context, plan, name, construct } = writer;
  if (Object.hasOwn(owner, key)) {
    const target = stateNamed(context, plan, owner, key);
    if (target) return () => target;
  } else if (!plan.isBranch && !Object.hasOwn(owner, unread)) {
    const span = owner === writer.state ? construct.span : spanOf(context, owner);
    context.report(missingNext(span, { state: name }));
  }
  return end(writer, "end", construct.span, { outcome: "leave", extent: "scope", value: data });
}

/** The list of some values. */
export const listOf = (items: readonly Expression[]): Expression =>
  items.length === 0 ? literal([]) : collect(items.length === 1 ? items[0] : comma(...items));
