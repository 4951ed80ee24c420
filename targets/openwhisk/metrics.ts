import type { Metric, OutputFile, WorkflowMetric } from "../../src/target/contract.ts";
import { byteLength } from "../../src/text/source.ts";
import type { Composition } from "./composition.ts";
import type { Activation } from "./simulator/platform.ts";

/** The size of each composition and of its action. */
export function metricsOf(files: readonly OutputFile[]): readonly WorkflowMetric[] {
  const ending = ".composition.json";
  return files.flatMap(({ path, text, workflow }) => {
    if (workflow === undefined || !path.endsWith(ending)) return [];
    const action = files.find((file) => file.path === `actions/${path.slice(0, -ending.length)}.js`)?.text ?? "";
    return [
      { workflow, name: "states", value: Object.keys((JSON.parse(text) as Composition).States).length },
      { workflow, name: "bytes", value: byteLength(text) },
      { workflow, name: "bytes of its action", value: byteLength(action), limit: maxCodeBytes },
    ];
  });
}

const maxCodeBytes = 48 * 1024 * 1024;

/** The metrics that an activation counts for. A nested composition counts twice. */
export function activationKinds({ role, isComponent }: Pick<Activation, "role" | "isComponent">): readonly Kind[] {
  if (role === "conductor") return ["conductor activations"];
  const component: readonly Kind[] = isComponent ? ["component activations"] : [];
  if (role === "composition") return ["invocations", ...component];
  return isComponent ? component : ["other activations"];
}

const kinds = ["invocations", "component activations", "conductor activations", "other activations"] as const;

type Kind = (typeof kinds)[number];

/** The number of activations of a run. Other activations are those that helpers, rules and alarms cause. */
export const runMetricsOf = (used: (what: string) => number): readonly Metric[] =>
  kinds.map((name) => ({ name, value: used(name) }));
