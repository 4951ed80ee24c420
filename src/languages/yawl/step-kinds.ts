import type { Step } from "../../generated/yawl-definition.ts";

/** The property that defines a step. */
export type StepKind = Exclude<keyof Step, "title" | "description">;

/** Steps that control the flow. */
export type ControlKind = "switch" | "foreach" | "parallel" | "while" | "wait" | "success" | "fail" | "noOp";

/** Steps that call external services. */
export type IntegrationKind = Exclude<StepKind, ControlKind>;

/** Any integration step. */
export type IntegrationStep = NonNullable<Step[IntegrationKind]>;

const kinds: { readonly [kind in StepKind]: kind extends ControlKind ? "control" : "integration" } = {
  switch: "control",
  foreach: "control",
  parallel: "control",
  while: "control",
  wait: "control",
  success: "control",
  fail: "control",
  noOp: "control",
  functionCall: "integration",
  containerCall: "integration",
  httpCall: "integration",
  grpcCall: "integration",
  ymq: "integration",
  yds: "integration",
  ydbDocument: "integration",
  objectStorage: "integration",
  disk: "integration",
  foundationModelsCall: "integration",
  aiAgent: "integration",
  aiStudioAgent: "integration",
  databaseQuery: "integration",
  tracker: "integration",
  postbox: "integration",
  telegramBot: "integration",
  vectorStore: "integration",
  workflow: "integration",
  ocr: "integration",
  stt: "integration",
};

/** Whether a property of a step defines its kind. */
export const isStepKind = (key: string): key is StepKind => Object.hasOwn(kinds, key);

/** The kind of a step; properties that are not known are ignored. */
export const kindOf = (step: Step): StepKind => Object.keys(step).find(isStepKind)!;

/** Whether a kind controls the flow. */
export const isControl = (kind: StepKind): kind is ControlKind => kinds[kind] === "control";

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
