import { noChoiceMatched, timedOut } from "../ir/failures.ts";
import { builtInOf } from "../ir/protocols.ts";
import type { Assign, Attempt, Call, Case, Choose, Delay, End, Handler, Reference, Step } from "../ir/workflow.ts";
import { assertNever, type Json } from "../json.ts";
import { callBuiltIn } from "./built-in.ts";
import { type Context, compute } from "./context.ts";
import { emit } from "./events.ts";
import { errorValueOf, RunEnd, StepFailure } from "./failure.ts";
import { runForEach } from "./foreach.ts";
import { runFork } from "./fork.ts";
import { invoke } from "./invoke.ts";
import { receive } from "./receive.ts";
import { recovering } from "./recovery.ts";
import { runScope } from "./scope.ts";

/** What a step leads to: the next step (`by` the case or the handler that was taken, if one was), or the end of its scope. */
export type Done =
  | { readonly kind: "next"; readonly next: Reference; readonly by?: Case | Handler | undefined }
  | { readonly kind: "ended"; readonly value: Json };

/** Does one step: what each means is said at its node in the IR. */
export async function perform(step: Step, context: Context): Promise<Done> {
  switch (step.kind) {
    case "assign":
      return assign(step, context);
    case "choose":
      return choose(step, context);
    case "call":
      return recovering(step, context, () => call(step, context));
    case "delay":
      return delay(step, context);
    case "receive":
      return bound(step.bind, await receive(step, context), step.next, context);
    case "emit":
      emit(step, context);
      return { kind: "next", next: step.next };
    case "fork":
      return recovering(step, context, () => runFork(step, context));
    case "foreach":
      return recovering(step, context, () => runForEach(step, context));
    case "invoke":
      return recovering(step, context, () => invoke(step, context));
    case "attempt":
      return recovering(step, context, attempts(step, context));
    case "end":
      return end(step, context);
    default:
      return assertNever(step);
  }
}

/** Lets work go on for so many seconds; then it is cut off, and fails by a time-out. */
export async function limited<T>(
  seconds: number | undefined,
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return work(context);
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const working = work({ ...context, signal });
  const expiry = context.run.world.sleep(seconds, signal).then(() => {
    throw new StepFailure(timedOut);
  });
  working.catch(() => undefined);
  expiry.catch(() => undefined);
  return Promise.race([working, expiry]).finally(() => stop.abort(new Error("cut off")));
}

function bound(variable: string | undefined, value: Json, next: Reference, { environment }: Context): Done {
  if (variable !== undefined) environment.own.set(variable, value);
  return { kind: "next", next };
}

function assign({ values, next }: Assign, context: Context): Done {
  const computed = values.map(({ variable, value }) => [variable, compute(value, context)] as const);
  for (const [variable, value] of computed) context.environment.own.set(variable, value);
  return { kind: "next", next };
}

function choose(step: Choose, context: Context): Done {
  const taken = step.cases.find(({ when }) => compute(when, context) === true);
  const next = taken ? taken.next : step.otherwise;
  if (next) return { kind: "next", next, by: taken };
  throw new StepFailure(noChoiceMatched(step));
}

async function call(step: Call, context: Context): Promise<Json> {
  const { world, workflow } = context.run;
  const argument = compute(step.argument, context);
  const builtIn = builtInOf(workflow.functions.find(({ name }) => name === step.function.name)?.protocol);
  if (builtIn) return callBuiltIn(builtIn, argument, world);
  const ask = ({ signal, position }: Context) => world.call(step.function.name, argument, { position, signal });
  if (step.wait) return limited(step.timeout, context, ask);
  ask({ ...context, signal: new AbortController().signal }).catch(() => undefined);
  return null;
}

async function delay({ wait, next }: Delay, context: Context): Promise<Done> {
  const { world } = context.run;
  const seconds =
    wait.kind === "for"
      ? Number(compute(wait.seconds, context))
      : (Date.parse(String(compute(wait.instant, context))) - world.now()) / 1000;
  if (Number.isNaN(seconds))
    throw new StepFailure({ origin: "expression", name: "DataError", message: "There is no time to wait for." });
  if (seconds > 0) await world.sleep(seconds, context.signal);
  return { kind: "next", next };
}

/** The attempts at a body: each but the first begins with the variables in `restore` as they were. */
function attempts({ body, restore, timeout: seconds }: Attempt, context: Context): () => Promise<Json> {
  const { own } = context.environment;
  const saved = restore.map((name) => [name, own.get(name) ?? null] as const);
  return () => {
    for (const [name, value] of saved) own.set(name, value);
    return limited(seconds, context, (inner) => runScope(body, inner));
  };
}

function end({ outcome, extent, value }: End, context: Context): Done {
  const result = compute(value, context);
  if (outcome === "leave") {
    if (extent === "run") throw new RunEnd({ kind: "leave", value: result });
    return { kind: "ended", value: result };
  }
  const error = errorValueOf(result);
  throw extent === "run" ? new RunEnd({ kind: "fail", error }) : new StepFailure(error);
}
