import {
  binary,
  call,
  canFail,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  simplify,
  variable,
} from "../expressions/index.ts";
import { defaultSource, givenAttributes } from "./emitted-events.ts";
import { type WorkflowNames, workflowNames } from "./names.ts";
import type { BuiltIn } from "./protocols.ts";
import { mapOwnScopes, stepsOf } from "./walk.ts";
import type { Assign, Call, Emit, FunctionDefinition, Scope, Step, Workflow } from "./workflow.ts";

/**
 * Computes events before the steps that emit them, where the event is bound to a variable or its attributes may fail:
 *
 *   Emit: emit paid(data) with { type: … } -> event
 *   → Emit: call id → id; call clock → time; event := { id: $id, time: …, type: …, data: data };
 *     emit paid($event.data) with { id: $event.id, type: $event.type, … }
 *
 * Returns the same workflow if no event needs it.
 */
export function assignEvents<W extends Workflow>(workflow: W): W {
  if (!stepsOf(workflow).some(isAssigned)) return workflow;
  const functions: FunctionDefinition[] = [...workflow.functions];
  const names = workflowNames(workflow);
  const builtIn = (kind: BuiltIn["kind"]): string => {
    const existing = functions.find(({ protocol }) => protocol?.kind === kind);
    if (existing) return existing.name;
    const name = names.functions.fresh(`${kind} of events`);
    functions.push({ name, protocol: { kind }, span: workflow.span });
    return name;
  };
  const variables = { id: names.variables.fresh("event id"), time: names.variables.fresh("event time") };
  const event = names.variables.fresh("event");
  const changed = mapOwnScopes(workflow, (scope) => {
    const used = new Set<string>();
    const steps = assignIn(scope, { workflow, names, builtIn, variables: { ...variables, event }, used });
    const added = [...used].map((name) => ({ name }));
    return steps === scope.steps ? scope : { ...scope, variables: [...scope.variables, ...added], steps };
  });
  return { ...changed, functions };
}

/** Whether an event is computed before it is emitted. */
function isAssigned(step: Step): step is Emit {
  return (
    step.kind === "emit" &&
    (step.bind !== undefined || Object.values(step.attributes ?? {}).some((value) => canFail(simplify(value))))
  );
}

interface EventContext {
  readonly workflow: Workflow;
  readonly names: WorkflowNames;
  /** The name of a built-in function, which is defined on first use. */
  readonly builtIn: (kind: BuiltIn["kind"]) => string;
  /** Variables for the generated id and time, and for an event that is not bound. */
  readonly variables: { readonly id: string; readonly time: string; readonly event: string };
  /** Those that a scope uses. */
  readonly used: Set<string>;
}

/** The steps of a scope and of the bodies of its attempts. */
function assignIn({ steps }: Scope, context: EventContext): readonly Step[] {
  const changed = steps.flatMap((step): readonly Step[] => {
    if (isAssigned(step)) return assignEvent(step, context);
    if (step.kind !== "attempt") return [step];
    const inner = assignIn(step.body, context);
    return [inner === step.body.steps ? step : { ...step, body: { ...step.body, steps: inner } }];
  });
  return changed.length === steps.length && changed.every((step, i) => step === steps[i]) ? steps : changed;
}

function assignEvent(step: Emit, context: EventContext): readonly Step[] {
  const { names, variables, used } = context;
  const { id, span } = step;
  const fresh = (part: string): string => names.steps.fresh(`${id}/${part}`);
  const origin = { ...step.origin, entry: false };
  const bound = step.bind ?? variables.event;
  if (step.bind === undefined) used.add(bound);
  const generated = step.bind === undefined ? [] : generateParts(step, fresh("time"), fresh("event"), context);
  const emitted = fresh("emit");
  const assign: Assign = {
    kind: "assign",
    id: generated.at(-1)?.next.name ?? id,
    origin: generated.length === 0 ? { ...step.origin, part: "event" } : { ...origin, part: "event" },
    span,
    values: [{ variable: bound, value: step.bind === undefined ? partsOf(step) : eventOf(step, context) }],
    next: { name: emitted, span },
  };
  const part = (name: string): Expression => firstOr(member(variable(bound), name), literal(null));
  const named = step.bind === undefined ? [] : ["id", "time"];
  const attributes = [...named, ...Object.keys(step.attributes ?? {})].map((name) => [name, part(name)] as const);
  const emit: Emit = {
    ...step,
    id: emitted,
    origin: { ...origin, part: "emit" },
    data: part("data"),
    attributes: Object.fromEntries(attributes),
    bind: undefined,
  };
  return [...generated, assign, emit];
}

/** The calls that generate an id and the time. */
function generateParts(
  step: Emit,
  second: string,
  next: string,
  { builtIn, variables, used }: EventContext,
): readonly Call[] {
  const { span } = step;
  const generate = (kind: "id" | "clock", id: string, bind: string, following: string, part: string): Call => {
    used.add(bind);
    return {
      kind: "call",
      id,
      origin: id === step.id ? { ...step.origin, part } : { ...step.origin, entry: false, part },
      span,
      function: { name: builtIn(kind), span },
      argument: literal(null),
      wait: true,
      retries: [],
      bind,
      handlers: [],
      next: { name: following, span },
    };
  };
  return [generate("id", step.id, variables.id, second, "id"), generate("clock", second, variables.time, next, "time")];
}

/** The data and the attributes of an event, as they are given. */
const partsOf = ({ data, attributes = {} }: Emit): Expression =>
  object([["data", data], ...Object.entries(attributes)]);

/** The event as an object. */
function eventOf(step: Emit, { workflow, variables }: EventContext): Expression {
  const { name, type, source, subject } = workflow.events.find((each) => each.name === step.event.name)!;
  const standard: readonly (readonly [string, Expression])[] = [
    ["specversion", literal("1.0")],
    ["id", variable(variables.id)],
    ["source", literal(source ?? defaultSource(workflow))],
    ["type", literal(type ?? name)],
    ...(subject === undefined ? [] : ([["subject", literal(subject)]] as const)),
    ["time", call("instant", variable(variables.time))],
    ["datacontenttype", literal("application/json")],
    ["data", step.data],
  ];
  return binary("+", object(standard), givenAttributes(step));
}
