import type { Step } from "../../generated/yawl-definition.ts";

/** The property that defines a step. */
export type StepKind = Exclude<keyof Step, "title" | "description">;

/** Steps that control the flow. */
export type ControlKind = "switch" | "foreach" | "parallel" | "while" | "wait" | "success" | "fail" | "noOp";

/** Steps that call external services. */
export type IntegrationKind = Exclude<StepKind, ControlKind>;

/** Any integration step. */
export type IntegrationStep = NonNullable<Step[IntegrationKind]>;

const control: ReadonlySet<string> = new Set<ControlKind>([
  "switch",
  "foreach",
  "parallel",
  "while",
  "wait",
  "success",
  "fail",
  "noOp",
]);

/** The kind of a step. */
export const kindOf = (step: Step): StepKind =>
  Object.keys(step).find((key) => key !== "title" && key !== "description") as StepKind;

/** Whether a kind controls the flow. */
export const isControl = (kind: StepKind): kind is ControlKind => control.has(kind);

/** Whether steps of a kind can have an `output`. */
export const hasOutput = (kind: StepKind): boolean =>
  kind !== "switch" && kind !== "wait" && kind !== "success" && kind !== "fail";

/** The next step's id; undefined at the end of the scope. */
export function nextStepId(step: Step): string | undefined {
  const kind = kindOf(step);
  const { next } = step[kind] as { readonly next?: string };
  return next;
}

/** Whether a kind calls a service, waits or ends the run. */
export const isWork = (kind: StepKind): boolean =>
  !isControl(kind) || kind === "success" || kind === "fail" || kind === "wait";
