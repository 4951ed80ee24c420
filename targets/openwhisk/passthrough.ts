import { stepsOf } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { isObject, type Json, own, setOwn } from "../../src/json.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { truncate } from "../../src/text/messages.ts";
import type { Composition, NativeComposition, State } from "./composition.ts";
import { openwhiskUnsupported } from "./diagnostics/kinds.ts";
import type { Entities } from "./select/context.ts";

/**
 * A workflow that was written as a composition, as it stands there, but for the names of actions that the configuration binds. Undefined where it calls
 * something that is no action of the platform, which is reported.
 *
 *   { Type: "Task", Action: "ship", Next: "done" } → { Type: "Task", Action: "/_/parcels/ship", Next: "done" }
 */
export function givenComposition(
  workflow: Workflow,
  { definition }: NativeComposition,
  entities: Entities,
  report: Report,
): Composition | undefined {
  const actions = actionsOf(workflow, entities);
  if (!checkActions(workflow, actions, report)) return undefined;
  const states: { [name: string]: Json } = {};
  for (const [name, state] of Object.entries(own(definition, "States") as { readonly [name: string]: Json })) {
    const action = isObject(state) ? own(state, "Action") : undefined;
    const bound = typeof action === "string" ? actions.get(action) : undefined;
    setOwn(states, name, isObject(state) && bound !== undefined ? { ...state, Action: bound } : state);
  }
  const { Entry, Exit } = definition as { readonly Entry: string; readonly Exit: string };
  return { Entry, Exit, States: states as unknown as { readonly [name: string]: State } };
}

/** What actions are called on the platform, by their names in the composition. */
const actionsOf = ({ functions }: Workflow, entities: Entities): ReadonlyMap<string, string> =>
  new Map(
    functions.flatMap((definition) =>
      definition.protocol?.kind === "script" ? [] : [[definition.name, entities.action(definition)] as const],
    ),
  );

/** The platform parses names of actions when it comes to them: with one that it does not take, no run gets further. */
function checkActions(workflow: Workflow, actions: ReadonlyMap<string, string>, report: Report): boolean {
  const told = new Set<string>();
  for (const step of stepsOf(workflow)) {
    const name = step.kind === "call" ? step.function.name : "";
    const action = actions.get(name);
    if (action === undefined || told.has(name) || isAction(action)) continue;
    told.add(name);
    const construct = action.startsWith("https:")
      ? "a composition that calls a web action"
      : `an action named \`${truncate(action)}\``;
    report(
      openwhiskUnsupported(step.span, {
        construct,
        hint: "Bind the function in the configuration to an action with a valid name.",
      }),
    );
  }
  return told.size === 0;
}

/** Whether OpenWhisk takes a name: `name`, `package/name`, `/namespace/name` or `/namespace/package/name`, each part of at most 256 characters. */
function isAction(name: string): boolean {
  const parts = name.replace(/^\//, "").split("/");
  const most = name.startsWith("/") ? 3 : 2;
  return parts.length <= most && parts.every((part) => part.length <= 256 && /^\w(?:[\w@ .-]*[\w@.-])?$/.test(part));
}
