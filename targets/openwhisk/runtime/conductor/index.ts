import { isObject, type JsonObject, own } from "../../../../src/json.ts";
import type { Composition, Outcome, Point, Stack } from "./composition.ts";
import { createEvaluator } from "./functions.ts";
import { type Interpreter, inspected, interpret, rejected } from "./interpret.ts";

/** What a conductor is told besides its composition. */
export interface Settings {
  /** The package of the helper actions, as actions are named in the composition: `/_/waybill`. */
  readonly helpers: string;
  /** What becomes of a call of an action that cannot be called: a rejection that no Try state takes, as the format has it, or an error that one may. */
  readonly missingAction: "reject" | "catch";
  /** After so many components a run goes on in an invocation of its own; absent: it never does. */
  readonly budget?: number | undefined;
}

/** How a run goes on, or begins, in an invocation of its own: what helper actions are given of it, and give back, in `$waybill`. */
export interface Continuation extends Partial<Session> {
  /** The run that a run which begins is a part of, by its id; absent: it is none of another's. */
  readonly root?: string;
  /** The state to enter; null: the run is over; absent: it begins. */
  readonly state?: string | null;
  readonly stack?: Stack;
  /** The answer of the helper that the run waited for, or what a branch begins with. Absent: what stands beside the continuation. */
  readonly params?: JsonObject;
  /** The parameters have been looked at before: an error in them is one no more. */
  readonly isInspected?: boolean;
}

/** What is known of a run, wherever in its composition it is. */
interface Session {
  /** The activation that it began with. */
  readonly run: string;
  /** When the run began that it is a part of, in milliseconds since 1970. */
  readonly began: number;
  /** The indexes of the branches around it, outermost first. */
  readonly position?: readonly number[];
  /** Who is to hear how it ends, in the words of the helpers. */
  readonly join?: JsonObject;
  /** How many components this invocation has called. */
  readonly components?: number;
}

/** What the conductor keeps from one of its activations to the next, while a component is at work. */
interface Resume extends Session {
  readonly state?: string | undefined;
  readonly stack: Stack;
  /** Which of the helpers the component is. */
  readonly helper?: string;
  /** The run is over; who joins it has been told, and this is its result. */
  readonly ending?: JsonObject;
}

/** A flow in the container that runs it. */
interface Flow {
  readonly composition: Composition;
  readonly settings: Settings;
  readonly interpreter: Interpreter;
}

/**
 * The conductor action that runs a composition: it computes until it has an action to call or a result, and is activated again with the action's answer. All
 * that it knows of a run is in `$resume`, which the platform keeps for it.
 *
 * An error as the result makes the activation one that failed. States that are entered are told to the activation's log, where nobody else hears of them.
 */
export function createConductor(
  composition: Composition,
  settings: Settings,
  entered: Interpreter["entered"] = (state) => console.log(`Entering ${state}`),
): (params: JsonObject) => JsonObject {
  const evaluator = createEvaluator(Object.values(composition.Helpers ?? {}));
  const flow: Flow = { composition, settings, interpreter: { evaluator, entered } };
  return ({ $resume, $waybill, ...params }) =>
    isObject($resume)
      ? resumed(flow, $resume as unknown as Resume, $waybill === undefined ? params : { ...params, $waybill })
      : begun(flow, isObject($waybill) ? ($waybill as Continuation) : {}, params);
}

/** Begins a run, or goes on with one that another invocation has left. */
function begun(flow: Flow, continuation: Continuation, given: JsonObject): JsonObject {
  const { root, state, stack = [], params = given, isInspected, ...known } = continuation;
  const id = activation("__OW_ACTIVATION_ID");
  const session = { run: id, began: Date.now(), ...known };
  if (state === undefined) {
    // As the platform tells activations of themselves; functions ask before the first component, in this activation.
    process.env["WAYBILL_RUN"] = root ?? id;
    return advanced(flow, session, { state: flow.composition.Entry, stack, params });
  }
  const point = { state: state ?? undefined, stack, params };
  return advanced(flow, session, isInspected ? point : inspected(params, point));
}

/** Goes on with the answer of a component. */
function resumed(flow: Flow, resume: Resume, answer: JsonObject): JsonObject {
  const { state, stack, helper, ending, ...session } = resume;
  const error = own(answer, "error");
  const isOurs = helper !== undefined && helper !== "rt-call";
  if (isOurs && typeof error === "string") return { error };
  if (ending) return resultOf(ending);
  if (isOurs && own(answer, "$waybill") === "suspended") return { params: { run: session.run, status: "suspended" } };
  if (flow.settings.missingAction === "reject" && isMissing(error)) return done(flow, session, rejected(error));
  return advanced(flow, session, inspected(helper === undefined ? withoutSign(answer) : answer, { state, stack }));
}

/** What an action answers, without what only helpers and the composition itself say of errors. */
function withoutSign(answer: JsonObject): JsonObject {
  const error = own(answer, "error");
  if (!isObject(error) || own(error, "$waybill") === undefined) return answer;
  const { $waybill: _, ...told } = error;
  return { ...answer, error: told };
}

/** Whether an error is what the platform says when it cannot call the action that it is asked to call. */
const isMissing = (error: unknown): error is string =>
  typeof error === "string" && /^Failed to (?:resolve action with|parse action) name .* composition\.$/s.test(error);

function advanced(flow: Flow, session: Session, from: Point): JsonObject {
  const outcome = interpret(flow.composition, from, flow.interpreter);
  return outcome.kind === "action" ? calling(flow, session, outcome) : done(flow, session, outcome);
}

/** Calls an action; or, where this invocation has called as many as it may, goes on with that in another. */
function calling(
  { settings: { helpers, budget } }: Flow,
  session: Session,
  { state, action, point }: Extract<Outcome, { readonly kind: "action" }>,
): JsonObject {
  const { params, ...next } = point;
  if (budget !== undefined && (session.components ?? 0) >= budget && !isAwaited(session)) {
    const continuation = { ...partOf(session), state, stack: point.stack, params, isInspected: true };
    const resume = { helper: "rt-continue", stack: [] };
    return component(`${helpers}/rt-continue`, { $waybill: continuation }, session, resume);
  }
  const helper = action.startsWith(`${helpers}/rt-`) ? action.slice(helpers.length + 1) : undefined;
  if (helper === undefined) return component(action, params, session, next);
  const continuation = { ...partOf(session), state: next.state ?? null, stack: next.stack };
  return component(action, { ...params, $waybill: continuation }, session, { ...next, helper });
}

/** Whether this is a branch whose end is waited for where it was started: it cannot go on elsewhere. */
const isAwaited = ({ join, position = [] }: Session): boolean => !join && position.length > 0;

/** Ends a run. Who joins it is told by a last component, before there is a result. */
function done(
  { settings: { helpers } }: Flow,
  session: Session,
  outcome: Exclude<Outcome, { readonly kind: "action" }>,
): JsonObject {
  const given = outcome.kind === "ended" ? outcome.result : { error: { code: outcome.code, error: outcome.error } };
  const result = (session.position ?? []).length === 0 ? withoutEnd(given) : given;
  if (!session.join) return resultOf(result);
  const error = own(result, "error");
  const told = { ...session.join, ...(error === undefined ? { result } : { error }), $waybill: partOf(session) };
  return component(`${helpers}/rt-join`, told, session, { stack: [], helper: "rt-join", ending: result });
}

/** The result of a run: that it was ended early is told to who waits for it as a part of another, and to nobody else. */
function withoutEnd(result: JsonObject): JsonObject {
  const error = own(result, "error");
  const value = isObject(error) && own(error, "$waybill") === "ended" ? own(error, "value") : undefined;
  return isObject(value) ? value : result;
}

/** What a helper is told of the run that calls it. */
const partOf = ({ components: _, ...session }: Session): Omit<Session, "components"> & { readonly flow: string } => ({
  flow: activation("__OW_ACTION_NAME"),
  ...session,
});

/** A call of a component. */
function component(action: string, params: object, session: Session, resume: Omit<Resume, keyof Session>): JsonObject {
  const state = { $resume: { ...session, ...resume, components: (session.components ?? 0) + 1 } };
  return { action, params, state } as unknown as JsonObject;
}

/** The last result of a conductor. An error stands in it by itself: only so has the activation failed. */
function resultOf(result: JsonObject): JsonObject {
  const error = own(result, "error");
  return error === undefined ? { params: result } : { error };
}

/** What the platform tells an activation of itself. */
const activation = (name: string): string => process.env[name] ?? "";
