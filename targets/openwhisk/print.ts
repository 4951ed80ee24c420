import { createNames } from "../../src/ir/names.ts";
import { assertNever, setOwn } from "../../src/json.ts";
import type { Composition, HelperPlace, State } from "./composition.ts";
import { tidied } from "./select/peephole.ts";
import type { Draft } from "./select/state-builder.ts";
import { functionText, helperTexts, wholeFunctionText } from "./select/text.ts";
import type { Lowered } from "./select/workflow.ts";

/** A composition as the text of its file. */
export const compositionText = (composition: Composition): string => `${JSON.stringify(composition, undefined, 2)}\n`;

/** States with their names, in the order in which they were made. None is called "": in this format that is no state, but the end. */
export function composed({ drawing, entry, exit }: Lowered, helpers: HelperPlace): Composition {
  const names = createNames(drawing.fixed);
  const { entry: first, drafts } = tidied(drawing, entry);
  const nameOf = new Map(
    drafts.map(({ label, name }) => [
      label,
      drawing.fixed.has(label) ? label : names.fresh(name === "" ? "state" : name),
    ]),
  );
  const name = (label: string): string => nameOf.get(label)!;
  const states: { [name: string]: State } = {};
  for (const draft of drafts) setOwn(states, name(draft.label), stateOf(draft, name, helpers));
  const called = drafts.flatMap(({ does }) => (does.kind === "function" ? [...does.program.helpers] : []));
  const isShared = helpers === "composition" && called.length > 0;
  const shared = isShared ? { Helpers: Object.fromEntries(helperTexts(new Set(called))) } : {};
  return { Entry: name(first), Exit: name(exit), States: states, ...shared };
}

function stateOf({ does, next }: Draft, name: (label: string) => string, helpers: HelperPlace): State {
  const after = next === undefined ? {} : { Next: name(next) };
  const textOf = helpers === "composition" ? functionText : wholeFunctionText;
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
      return { Type: "Task", Function: textOf(does.program), ...after };
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
