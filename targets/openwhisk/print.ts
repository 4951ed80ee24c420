import { freshNames } from "../../src/ir/names.ts";
import { assertNever } from "../../src/json.ts";
import type { Composition, State } from "./composition.ts";
import { type Draft, type Drawing, resolved } from "./lower/drafts.ts";
import { functionText } from "./lower/text.ts";
import type { Lowered } from "./lower/workflow.ts";

/** A composition as the text of its file. */
export const compositionText = (composition: Composition): string => `${JSON.stringify(composition, undefined, 2)}\n`;

/** States with their names, those that can be reached, in the order in which they were made. */
export function composed({ drawing, entry, exit }: Lowered): Composition {
  const names = freshNames(drawing.fixed);
  const reached = reachedFrom(resolved(entry, drawing), drawing);
  const drafts = drawing.drafts.filter(({ label }) => reached.has(label));
  const nameOf = new Map(
    drafts.map(({ label, name }) => [label, drawing.fixed.has(label) ? label : names.fresh(name)]),
  );
  const name = (label: string): string => nameOf.get(resolved(label, drawing))!;
  const states: { [name: string]: State } = {};
  for (const draft of drafts) states[name(draft.label)] = stateOf(draft, name);
  return { Entry: name(entry), Exit: name(exit), States: states };
}

function reachedFrom(entry: string, drawing: Drawing): ReadonlySet<string> {
  const byLabel = new Map(drawing.drafts.map((draft) => [draft.label, draft]));
  const reached = new Set<string>(drawing.fixed);
  const pending = [entry, ...drawing.fixed];
  for (let label = pending.pop(); label !== undefined; label = pending.pop()) {
    const draft = byLabel.get(label);
    if (!draft) throw new Error(`There is no state ${label}.`);
    reached.add(label);
    for (const next of leadsTo(draft).map((each) => resolved(each, drawing)))
      if (!reached.has(next)) pending.push(next);
  }
  return reached;
}

function leadsTo({ does, next }: Draft): readonly string[] {
  const after = next === undefined ? [] : [next];
  switch (does.kind) {
    case "choice":
      return [does.whenTrue, does.otherwise];
    case "try":
      return [...after, does.handler];
    default:
      return after;
  }
}

function stateOf({ does, next }: Draft, name: (label: string) => string): State {
  const after = next === undefined ? {} : { Next: name(next) };
  switch (does.kind) {
    case "pass":
      return { Type: "Pass", ...after };
    case "push":
      return { Type: "Push", ...after };
    case "catch":
      return { Type: "Catch", ...after };
    case "end":
      return { Type: "End", ...after };
    case "action":
      return { Type: "Task", Action: does.action, ...after };
    case "value":
      return { Type: "Task", Value: does.value, ...after };
    case "function":
      return { Type: "Task", Function: functionText(does.program), ...after };
    case "choice":
      return { Type: "Choice", Then: name(does.whenTrue), Else: name(does.otherwise) };
    case "try":
      return { Type: "Try", Handler: name(does.handler), ...after };
    case "let":
      return { Type: "Let", Symbol: does.symbol, Value: does.value, ...after };
    default:
      return assertNever(does);
  }
}
