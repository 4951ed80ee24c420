import type { Expression } from "../../src/expressions/core/ast.ts";
import { binary, literal, member, variable } from "../../src/expressions/core/build.ts";
import type {
  Attempt,
  Branch,
  Call,
  EventCombination,
  EventDefinition,
  EventPattern,
  ForEach,
  Fork,
  Handler,
  Invoke,
  Receive,
  Reference,
  Retry,
  Scope,
  ScopeVariable,
  Start,
  Step,
  StepBase,
  Workflow,
} from "../../src/ir/workflow.ts";
import type { Span } from "../../src/text/source.ts";

// Builders of workflows, with defaults for everything that a test ignores.

export const span: Span = { source: { path: "hand.ts", text: "" }, start: 0, end: 0 };
export const to = (name: string): Reference => ({ name, span });
export const data = variable("data");
export const error = variable("error");
export const yes = literal(true);
/** Whether the error has this name. */
export const named = (name: string): Expression => binary("==", member(error, "name"), literal(name));

const base = (id: string): StepBase => ({
  id,
  origin: { noun: "state", name: id.split("/")[0]!, entry: !id.includes("/") },
  span,
});

type AssignedValues = { readonly [variable: string]: Expression };
type StepMembers<S extends Step> = Partial<Omit<S, keyof StepBase | "kind" | "next">>;

export const assign = (id: string, values: AssignedValues, next: string): Step => ({
  ...base(id),
  kind: "assign",
  values: Object.entries(values).map(([name, value]) => ({ variable: name, value })),
  next: to(next),
});
export const choose = (id: string, cases: readonly (readonly [Expression, string])[], otherwise?: string): Step => ({
  ...base(id),
  kind: "choose",
  cases: cases.map(([when, next]) => ({ when, next: to(next), span })),
  otherwise: otherwise === undefined ? undefined : to(otherwise),
});
export const call = (
  id: string,
  name: string,
  argument: Expression,
  next: string,
  rest: StepMembers<Call> = {},
): Call => ({
  ...base(id),
  kind: "call",
  function: to(name),
  argument,
  wait: true,
  retries: [],
  handlers: [],
  next: to(next),
  ...rest,
});
export const delay = (id: string, seconds: Expression, next: string): Step => ({
  ...base(id),
  kind: "delay",
  wait: { kind: "for", seconds },
  next: to(next),
});
export const until = (id: string, instant: Expression, next: string): Step => ({
  ...base(id),
  kind: "delay",
  wait: { kind: "until", instant },
  next: to(next),
});
export const receive = (
  id: string,
  alternatives: readonly EventCombination[],
  bind: string,
  next: string,
  unused: Receive["unused"] = "keep",
  correlation?: Receive["correlation"],
): Step => ({
  ...base(id),
  kind: "receive",
  alternatives,
  unused,
  correlation,
  bind,
  next: to(next),
});
export const emit = (
  id: string,
  event: string,
  value: Expression,
  next: string,
  attributes?: { readonly [name: string]: string | Expression },
  correlation?: Expression,
): Step => ({
  ...base(id),
  kind: "emit",
  event: to(event),
  data: value,
  correlation,
  attributes:
    attributes &&
    Object.fromEntries(
      Object.entries(attributes).map(([name, given]) => [name, typeof given === "string" ? literal(given) : given]),
    ),
  next: to(next),
});
export const fork = (id: string, branches: readonly Branch[], next: string, rest: StepMembers<Fork> = {}): Fork => ({
  ...base(id),
  kind: "fork",
  branches,
  join: { kind: "all" },
  failure: "fatal",
  retries: [],
  handlers: [],
  next: to(next),
  ...rest,
});
export const branch = (name: string, body: Scope): Branch => ({ name, scope: body, span });
export const forEach = (
  id: string,
  items: Expression,
  body: Scope,
  next: string,
  rest: StepMembers<ForEach> = {},
): ForEach => ({
  ...base(id),
  kind: "foreach",
  items,
  element: "element",
  scope: body,
  retries: [],
  handlers: [],
  next: to(next),
  ...rest,
});
export const invoke = (
  id: string,
  workflow: string,
  input: Expression,
  next: string,
  rest: StepMembers<Invoke> = {},
): Invoke => ({
  ...base(id),
  kind: "invoke",
  workflow: to(workflow),
  input,
  wait: true,
  terminates: false,
  retries: [],
  handlers: [],
  next: to(next),
  ...rest,
});
export const attempt = (id: string, body: Scope, next: string, rest: StepMembers<Attempt> = {}): Attempt => ({
  ...base(id),
  kind: "attempt",
  body,
  restore: [],
  retries: [],
  handlers: [],
  next: to(next),
  ...rest,
});
export const end = (id: string, value: Expression, extent: "scope" | "run" = "scope"): Step => ({
  ...base(id),
  kind: "end",
  outcome: "leave",
  extent,
  value,
});
export const fail = (id: string, name: string, message = "", extent: "scope" | "run" = "scope"): Step => ({
  ...base(id),
  kind: "end",
  outcome: "fail",
  extent,
  value: literal({ origin: "fail", name, message }),
});
/** Fails with an error. */
export const raise = (id: string, value: Expression): Step => ({
  ...base(id),
  kind: "end",
  outcome: "fail",
  extent: "scope",
  value,
});

/** A scope that begins with its first step. Variables are names, or names with initial values. */
export const scope = (
  variables: readonly (string | readonly [string, Expression])[],
  ...steps: readonly Step[]
): Scope => ({
  entry: to(steps[0]!.id),
  variables: variables.map(
    (each): ScopeVariable => (typeof each === "string" ? { name: each } : { name: each[0], initial: each[1] }),
  ),
  steps,
  span,
});
export const handler = (when: Expression, next: string, bind?: string): Handler => ({
  when,
  next: to(next),
  bind,
  span,
});
export const retry = (
  limit: number,
  base: number,
  rest: Partial<Retry["delay"]> & { readonly when?: Expression } = {},
): Retry => {
  const { when = yes, ...delay } = rest;
  return { when, limit, delay: { base, factor: 1, step: 0, ...delay }, span };
};
export const pattern = (event: string, when?: Expression): EventPattern => ({ event: to(event), when });
/** All of several groups of events. A group is a name or several alternatives. */
export const allOf = (...groups: readonly (string | readonly string[])[]): EventCombination => ({
  all: groups.map((group) => (typeof group === "string" ? [group] : group).map((name) => pattern(name))),
  none: [],
  span,
});
/** A definition of the events of a type, under the same name. */
export const event = (name: string, rest: Partial<EventDefinition> = {}): EventDefinition => ({
  name,
  type: name,
  span,
  ...rest,
});

/** A workflow over `data` that defines the functions which its scopes call. */
export const workflow = (
  body: Scope,
  rest: Partial<Omit<Workflow, "body" | "start">> & { readonly start?: Partial<Start> } = {},
): Workflow => ({
  kind: "workflow",
  anyInput: true,
  id: "main",
  name: "main",
  version: "1.0",
  language: "hand",
  input: "data",
  functions: [...functionsOf(body)].map((name) => ({ name, span })),
  events: [],
  span,
  ...rest,
  start: { span, ...rest.start },
  body,
});

function functionsOf(body: Scope): ReadonlySet<string> {
  const inner = (step: Step): readonly Scope[] =>
    step.kind === "fork"
      ? step.branches.map((each) => each.scope)
      : step.kind === "foreach"
        ? [step.scope]
        : step.kind === "attempt"
          ? [step.body]
          : [];
  const names = body.steps.flatMap((step) => [
    ...(step.kind === "call" ? [step.function.name] : []),
    ...inner(step).flatMap((each) => [...functionsOf(each)]),
  ]);
  return new Set(names);
}
