import type { Step } from "../../generated/yawl-definition.ts";

/** What a step does: the name of the property that says it. */
export type StepKind = Exclude<keyof Step, "title" | "description">;

/** The kinds of steps that order others. All others work outside of the workflow. */
export type ControlKind = "switch" | "foreach" | "parallel" | "while" | "wait" | "success" | "fail" | "noOp";

/** The kinds of steps that work outside of the workflow. */
export type IntegrationKind = Exclude<StepKind, ControlKind>;

/** What an integration step is, whatever it does. */
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

/** What a step does. */
export const kindOf = (step: Step): StepKind =>
  Object.keys(step).find((key) => key !== "title" && key !== "description") as StepKind;

/** Whether a kind of step orders others. */
export const isControl = (kind: StepKind): kind is ControlKind => control.has(kind);

/** Whether steps of a kind can have an `output`. */
export const hasOutput = (kind: StepKind): boolean =>
  kind !== "switch" && kind !== "wait" && kind !== "success" && kind !== "fail";

/** The step that follows a step, as it says it; undefined where the scope ends. */
export function nextStepId(step: Step): string | undefined {
  const kind = kindOf(step);
  const { next } = step[kind] as { readonly next?: string };
  return next;
}

/** Whether a step works outside of the workflow, ends the run or waits: what the rounds of a while step have to do. */
export const isWork = (kind: StepKind): boolean =>
  !isControl(kind) || kind === "success" || kind === "fail" || kind === "wait";
