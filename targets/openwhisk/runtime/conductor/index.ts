import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { isKey, sign, verify } from "../proof.ts";
import type { Composition, Outcome, Point, Stack } from "./composition.ts";
import { createEvaluator } from "./functions.ts";
import { type Interpreter, inspected, interpret, rejected } from "./interpret.ts";

/** The settings of a conductor. */
export interface Settings {
  /** The helper action, as the composition names it: `/_/waybill/rt`. */
  readonly helper: string;
  /** Whether a missing action rejects the run, as the format requires, or fails with an error that `Try` states catch. */
  readonly missingAction: "reject" | "catch";
  /** The parameters that are removed from the input. */
  readonly reserved?: readonly string[] | undefined;
  /** The number of components after which a run continues in a new invocation. Default: unlimited. */
  readonly budget?: number | undefined;
  /** The actions that receive an idempotency key, with the member that holds it: `{ "/_/shop/charge": "$waybill" }`. */
  readonly keys?: { readonly [action: string]: string } | undefined;
  /** The states whose call is repeated when it fails: all attempts have one key. */
  readonly retried?: readonly string[] | undefined;
  /** The workflows that this one calls as components: they derive their keys from this run's. */
  readonly workflows?: readonly string[] | undefined;
}

/** The parameter `$waybill`: how a run, or a part of one, starts or continues in an invocation. Signed by the sender. */
export interface Continuation extends Partial<Session> {
  /** The id of the run that a subflow is part of. */
  readonly root?: string;
  /** The state to enter. Null: the run is over; undefined: it starts. */
  readonly state?: string | null;
  readonly stack?: Stack;
  /** The result of the helper that the run has waited for, or the parameters of a branch. Default: the other parameters. */
  readonly params?: JsonObject;
  /** Whether an error in the parameters is data, because it was handled before. */
  readonly isInspected?: boolean;
  /** The correlation value of the event that starts the run. */
  readonly token?: Json;
}

/** The state of a run that does not depend on its position in the composition. */
interface Session {
  /** The id of its first activation. */
  readonly run: string;
  /** When the whole run began, in milliseconds since 1970. */
  readonly began: number;
  /** The indexes of the branches around it, outermost first. */
  readonly position?: readonly number[];
  /** The fork or run that its end is reported to. */
  readonly join?: JsonObject;
  /** When the run began that started this one, in milliseconds since 1970. */
  readonly rootBegan?: number;
  /** The number of components that this invocation has called. */
  readonly components?: number;
  /** The prefix of idempotency keys. Default: the run. */
  readonly key?: string;
  /** The number of components that it has called in all invocations. */
  readonly calls?: number;
  /** The last call of a retried state, which has failed. */
  readonly attempt?: Attempt | undefined;
}

/** A call that may be repeated. */
interface Attempt {
  readonly state: string;
  readonly call: number;
  readonly number: number;
}

/** What the platform keeps for the conductor while a component runs, in `$resume`. Signed. */
interface Resume extends Session {
  readonly state?: string | undefined;
  readonly stack: Stack;
  /** The operation of the helper action, if it is the component. */
  readonly operation?: string;
  /** The result of a run whose end is being reported. */
  readonly ending?: JsonObject;
}

/** A workflow in its container, with the key of the deployment. */
interface Workflow {
  readonly composition: Composition;
  readonly settings: Settings;
  readonly interpreter: Interpreter;
  readonly secret: string;
}

/**
 * Creates the conductor action of a composition. It computes until it has a component to call or a result, and is
 * activated again with the result of the component. The whole state of a run is in `$resume`.
 *
 * States are logged when they are entered.
 */
export function createConductor(
  composition: Composition,
  settings: Settings,
  entered: Interpreter["entered"] = (state) => console.log(`Entering ${state}`),
): (params: JsonObject) => JsonObject {
  const evaluator = createEvaluator(Object.values(composition.Helpers ?? {}));
  const interpreter: Interpreter = { evaluator, entered };
  return ({ $waybillKey: secret, $resume, $waybill, ...params }) => {
    if (!isKey(secret)) return { error: messages.noKey };
    const workflow: Workflow = { composition, settings, interpreter, secret };
    if ($resume !== undefined) {
      const resume = verify($resume, "resume", secret);
      if (!resume) return { error: messages.forged("$resume") };
      const result = $waybill === undefined ? params : { ...params, $waybill };
      return resumed(workflow, resume as unknown as Resume, result);
    }
    const continuation = isStart($waybill) ? {} : verify($waybill, "continue", secret);
    if (!continuation) return { error: messages.forged("$waybill") };
    if (isStart($waybill)) process.env["WAYBILL_CALLED"] = "true";
    else delete process.env["WAYBILL_CALLED"];
    return begun(workflow, continuation as Continuation, params);
  };
}

const messages = {
  noKey:
    "waybill: The action has no parameter $waybillKey. Set WAYBILL_KEY to at least 16 characters and deploy again.",
  forged: (name: string) => `waybill: The parameter ${name} does not come from this deployment.`,
};

/** Whether a run starts: without `$waybill`, or with the idempotency key of a caller that takes this for a function. */
const isStart = ($waybill: Json | undefined): boolean =>
  !isObject($waybill) || Object.keys($waybill).every((name) => name === "key" || name === "attempt");

/** Starts a run, or continues one from another invocation. */
function begun(workflow: Workflow, continuation: Continuation, given: JsonObject): JsonObject {
  const { root, token, state, stack = [], params = given, isInspected, ...known } = continuation;
  const id = environment("__OW_ACTIVATION_ID");
  const session = { run: id, began: Date.now(), ...known };
  if (state === undefined) {
    // Functions read them before the first component, in this activation.
    process.env["WAYBILL_RUN"] = root ?? id;
    process.env["WAYBILL_TOKEN"] = JSON.stringify(token ?? null);
    const input = without(params, workflow.settings.reserved ?? []);
    return advanced(workflow, session, { state: workflow.composition.Entry, stack, params: input });
  }
  const point = { state: state ?? undefined, stack, params };
  return advanced(workflow, session, isInspected ? point : inspected(params, point));
}

const without = (params: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));

/** Continues with the result of a component. */
function resumed(workflow: Workflow, resume: Resume, result: JsonObject): JsonObject {
  const { state, stack, operation, ending, attempt, ...rest } = resume;
  const error = own(result, "error");
  const isHelper = operation !== undefined && operation !== "call";
  if (isHelper && typeof error === "string") return { error };
  if (ending) return resultOf(ending);
  if (isHelper && own(result, "$waybill") === "suspended") return { params: { run: rest.run, status: "suspended" } };
  const session: Session = isHelper || error !== undefined ? { ...rest, attempt } : rest;
  if (workflow.settings.missingAction === "reject" && isMissing(error)) return done(workflow, session, rejected(error));
  return advanced(
    workflow,
    session,
    inspected(operation === undefined ? withoutMark(result) : result, { state, stack }),
  );
}

/** The result of an action, without the mark of errors that only the composition and helpers raise. */
function withoutMark(result: JsonObject): JsonObject {
  const error = own(result, "error");
  if (!isObject(error) || own(error, "$waybill") === undefined) return result;
  const { $waybill: _, ...rest } = error;
  return { ...result, error: rest };
}

/** Whether an error is the platform's message about a component that it cannot call. */
const isMissing = (error: unknown): error is string =>
  typeof error === "string" && /^Failed to (?:resolve action with|parse action) name .* composition\.$/s.test(error);

function advanced(workflow: Workflow, session: Session, from: Point): JsonObject {
  const outcome = interpret(workflow.composition, from, workflow.interpreter);
  return outcome.kind === "action" ? calling(workflow, session, outcome) : done(workflow, session, outcome);
}

/** Calls a component. If the budget of the invocation is used up, a new one calls it. */
function calling(
  workflow: Workflow,
  session: Session,
  { state, action, point }: Extract<Outcome, { readonly kind: "action" }>,
): JsonObject {
  const { settings } = workflow;
  const { params, ...next } = point;
  if (settings.budget !== undefined && (session.components ?? 0) >= settings.budget && !isAwaited(session)) {
    const rest = { state, stack: point.stack, params, isInspected: true };
    return helped(workflow, session, { operation: "continue" }, rest, { stack: [] });
  }
  const isHelper = action === settings.helper;
  const rest = { state: next.state ?? null, stack: next.stack };
  const callee = isHelper ? own(params, "action") : action;
  if (typeof callee !== "string") return helped(workflow, session, params, rest, next);
  const argument = isHelper ? (own(params, "params") as JsonObject | undefined) : params;
  if (settings.workflows?.includes(callee)) {
    const start = startOf(workflow, session, argument);
    return isHelper
      ? helped(workflow, session, { ...params, params: start }, rest, next)
      : component(workflow, action, start, session, next);
  }
  const { context, attempt } = contextOf(settings, session, state, callee);
  const noted = { ...session, attempt };
  if (!isHelper) return component(workflow, action, { ...context, ...params }, noted, next);
  return helped(workflow, noted, context === undefined ? params : { ...params, context }, rest, next);
}

/** The input of a subflow with its key, its age and, if it uses it, the id of the whole run. */
function startOf({ secret }: Workflow, session: Session, input: JsonObject = {}): JsonObject {
  const $waybill = own(input, "$waybill");
  const root = isObject($waybill) ? own($waybill, "root") : undefined;
  const rootBegan = session.join?.["rootBegan"] ?? session.rootBegan ?? session.began;
  const start = { ...(root === undefined ? {} : { root }), rootBegan, key: keyOf(session, session.calls ?? 0) };
  return { ...input, $waybill: sign(start, "continue", secret) };
}

/** The member of a call's parameters that holds its idempotency key, and the attempt to remember if it may be repeated. */
function contextOf(
  { keys = {}, retried = [] }: Settings,
  { attempt: last, ...session }: Session,
  state: string,
  action: string,
): { readonly context?: JsonObject; readonly attempt: Attempt | undefined } {
  const isRepeated = last?.state === state;
  const call = isRepeated ? last.call : (session.calls ?? 0);
  const number = isRepeated ? last.number + 1 : 1;
  const attempt = retried.includes(state) ? { state, call, number } : undefined;
  const member = own(keys, action);
  if (member === undefined) return { attempt };
  return { context: { [member]: { key: keyOf(session, call), attempt: number } }, attempt };
}

/** The key of a call: the same whenever the run continues from the same checkpoint. */
const keyOf = ({ key, run }: Session, call: number): string => `${key ?? run}/${call}`;

/** Whether this is a branch whose activation its fork waits for: it cannot continue elsewhere. */
const isAwaited = ({ join, position = [] }: Session): boolean => !join && position.length > 0;

/** Ends a run. The helper action reports the end to the fork or run that waits for it. */
function done(
  workflow: Workflow,
  session: Session,
  outcome: Exclude<Outcome, { readonly kind: "action" }>,
): JsonObject {
  const given =
    outcome.kind === "ended"
      ? isNative(workflow)
        ? withoutMark(outcome.result)
        : outcome.result
      : { error: { code: outcome.code, error: outcome.error, $waybill: "denied" } };
  const result = (session.position ?? []).length === 0 ? withoutEnd(given) : given;
  if (!session.join) return resultOf(result);
  const error = own(result, "error");
  const end = error === undefined ? { result } : { error };
  return helped(workflow, session, { operation: "join", ...end }, {}, { stack: [], ending: result });
}

/** Whether the composition is the definition itself: its own functions raise no errors with marks. */
const isNative = ({ settings }: Workflow): boolean => settings.reserved !== undefined;

/** The result of a run. Only the parts of a run distinguish that it was ended early. */
function withoutEnd(result: JsonObject): JsonObject {
  const error = own(result, "error");
  const value = isObject(error) && own(error, "$waybill") === "ended" ? own(error, "value") : undefined;
  return isObject(value) ? value : result;
}

/** Calls the helper action with a request and the signed state of the run. */
function helped(
  workflow: Workflow,
  session: Session,
  request: JsonObject,
  rest: Pick<Continuation, "state" | "stack" | "params" | "isInspected">,
  next: Omit<Resume, keyof Session | "operation">,
): JsonObject {
  const { components: _, ...state } = session;
  const caller = { flow: environment("__OW_ACTION_NAME"), ...state, calls: (session.calls ?? 0) + 1, ...rest };
  const params = { ...request, $waybill: sign(caller, "call", workflow.secret) };
  const resume = { ...next, operation: String(own(request, "operation")) };
  return component(workflow, workflow.settings.helper, params, session, resume);
}

/** The response of the conductor that calls a component. */
function component(
  { secret }: Workflow,
  action: string,
  params: object,
  session: Session,
  next: Omit<Resume, keyof Session>,
): JsonObject {
  const counts = { components: (session.components ?? 0) + 1, calls: (session.calls ?? 0) + 1 };
  const state = { $resume: sign({ ...session, ...next, ...counts }, "resume", secret) };
  return { action, params, state } as unknown as JsonObject;
}

/** The result of the composition. The activation fails only if it has no other member next to `error`. */
function resultOf(result: JsonObject): JsonObject {
  const error = own(result, "error");
  return error === undefined ? { params: result } : { error };
}

const environment = (name: string): string => process.env[name] ?? "";
