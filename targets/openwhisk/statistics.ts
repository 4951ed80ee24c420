import type { OutputFile } from "../../src/target/contract.ts";
import type { Metric, WorkflowMetric } from "../../src/target/metrics.ts";
import { byteLength } from "../../src/text/utf8.ts";
import type { Composition } from "./composition.ts";
import type { Activation } from "./simulator/platform.ts";

/** The figures of a composition: how many states it has, how large it is, and how large the action is that runs it. */
export function figuresOf(files: readonly OutputFile[]): readonly WorkflowMetric[] {
  const ending = ".composition.json";
  return files.flatMap(({ path, text, workflow }) => {
    if (workflow === undefined || !path.endsWith(ending)) return [];
    const action = files.find((file) => file.path === `actions/${path.slice(0, -ending.length)}.js`)?.text ?? "";
    return [
      { workflow, name: "states", value: Object.keys((JSON.parse(text) as Composition).States).length },
      { workflow, name: "bytes", value: byteLength(text) },
      { workflow, name: "bytes of its action", value: byteLength(action), limit: mostCode },
    ];
  });
}

/** The most bytes that the code of an action may have. */
const mostCode = 48 * 1024 * 1024;

/** As what an activation counts. A composition that another one calls is an invocation, and a component of that. */
export function kindsOf({ role, isComponent }: Pick<Activation, "role" | "isComponent">): readonly Kind[] {
  if (role === "conductor") return ["conductor activations"];
  const component: readonly Kind[] = isComponent ? ["component activations"] : [];
  if (role === "composition") return ["invocations", ...component];
  return isComponent ? component : ["other activations"];
}

const kinds = ["invocations", "component activations", "conductor activations", "other activations"] as const;

type Kind = (typeof kinds)[number];

/**
 * The activations that a run has cost. Components are the actions that its compositions call, helpers among them; each has the conductor activated once
 * more, and so does each invocation. The others are what helpers call, what rules start, and alarms.
 */
export const measuresOf = (used: (what: string) => number): readonly Metric[] =>
  kinds.map((name) => ({ name, value: used(name) }));
