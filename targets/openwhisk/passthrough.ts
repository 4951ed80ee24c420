import { stepsOf } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { isObject, type Json, own, setOwn } from "../../src/json.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { truncate } from "../../src/text/messages.ts";
import type { Composition, NativeComposition, State } from "./composition.ts";
import { openwhiskUnsupported } from "./diagnostics/kinds.ts";
import type { PlatformNames } from "./select/context.ts";

/**
 * Passes a native composition through with bound actions. Returns undefined if it calls something that is not an
 * action.
 *
 *   { Type: "Task", Action: "ship", Next: "done" } → { Type: "Task", Action: "/_/parcels/ship", Next: "done" }
 */
export function bindActions(
  workflow: Workflow,
  { definition }: NativeComposition,
  platform: PlatformNames,
  report: Report,
): Composition | undefined {
  const actions = actionsOf(workflow, platform);
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

const actionsOf = ({ functions }: Workflow, platform: PlatformNames): ReadonlyMap<string, string> =>
  new Map(
    functions.flatMap((definition) =>
      definition.protocol?.kind === "script" ? [] : [[definition.name, platform.action(definition)] as const],
    ),
  );

/** At run time, an invalid name would fail every run that reaches it. */
function checkActions(workflow: Workflow, actions: ReadonlyMap<string, string>, report: Report): boolean {
  const reported = new Set<string>();
  for (const step of stepsOf(workflow)) {
    const name = step.kind === "call" ? step.function.name : "";
    const action = actions.get(name);
    if (action === undefined || reported.has(name) || isActionName(action)) continue;
    reported.add(name);
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
  return reported.size === 0;
}

/** `name`, `package/name`, `/namespace/name` or `/namespace/package/name` */
function isActionName(name: string): boolean {
  const parts = name.replace(/^\//, "").split("/");
  const maxSegments = name.startsWith("/") ? 3 : 2;
  return (
    parts.length <= maxSegments && parts.every((part) => part.length <= 256 && /^\w(?:[\w@ .-]*[\w@.-])?$/.test(part))
  );
}
