import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { Composition, Frame, Outcome, Point, Rejection, Stack, State } from "./composition.ts";
import { copyOf, type Evaluator } from "./functions.ts";

/** The environment of the interpreter. */
export interface Interpreter {
  readonly evaluator: Evaluator;
  /** Called for each state that is entered. */
  entered(state: string): void;
}

/** Interprets a composition until it calls an action or ends. */
export function interpret(composition: Composition, from: Point, interpreter: Interpreter): Outcome {
  const fault = faultIn(composition);
  if (fault !== undefined) return rejected(fault);
  let point = from;
  while (point.state) {
    interpreter.entered(point.state);
    const outcome = enter(composition, point.state, point, interpreter.evaluator);
    if ("kind" in outcome) return outcome;
    point = outcome;
  }
  return { kind: "ended", result: point.params };
}

/** The position after a result. An error leads to the nearest handler, or to the end of the run. */
export function inspected(result: Json, { state, stack }: Omit<Point, "params">): Point {
  const params = isObject(result) ? result : { value: result };
  const error = own(params, "error");
  if (error === undefined) return { state, stack, params };
  const height = stack.findIndex((frame) => "catch" in frame && frame.catch !== "");
  const handler = stack[height];
  return {
    state: handler && "catch" in handler ? handler.catch : undefined,
    stack: handler ? stack.slice(height + 1) : [],
    params: { error },
  };
}

/** A run that violates the format. */
export const rejected = (error: string, code = 400): Rejection => ({ kind: "rejected", code, error });

function faultIn({ Entry, Exit, States }: Composition): string | undefined {
  if (typeof Entry !== "string") return "The composition has no Entry field of type string";
  if (!isObject(States)) return "The composition has no States field of type object";
  if (typeof Exit !== "string") return "The composition has no Exit field of type string";
  return undefined;
}

/** Enters a state, which is validated only now. */
function enter({ States, Exit }: Composition, name: string, at: Point, evaluator: Evaluator): Point | Outcome {
  const state = own(States, name);
  if (!isObject(state)) return rejected(`The composition has no state named ${name}`);
  const { Type, Next } = state as State;
  if (Type !== "Choice" && typeof Next !== "string" && name !== Exit)
    return rejected(`The state named ${name} has no Next field`);
  const { params, stack } = at;
  const lacks = (field: string) => rejected(`The state named ${name} of type ${Type} has no ${field} field`);
  const onward = (frames: Stack, given = params): Point => ({ state: Next, stack: frames, params: given });
  const popped = (kind: string): Frame | Rejection => {
    const [top] = stack;
    if (!top) return rejected(`The state named ${name} of type ${Type} attempted to pop from an empty stack`);
    return kind in top ? top : rejected(`The state named ${name} of type ${Type} popped an unexpected stack element`);
  };
  switch (Type) {
    case "Pass":
      return onward(stack);
    case "Task":
      return perform(name, state as State, at, evaluator);
    case "Choice": {
      const { Then, Else } = state as State;
      if (typeof Then !== "string") return lacks("Then");
      if (typeof Else !== "string") return lacks("Else");
      const top = popped("params");
      if ("kind" in top) return top;
      const given = (top as { readonly params: JsonObject }).params;
      return { state: own(params, "value") === true ? Then : Else, stack: stack.slice(1), params: given };
    }
    case "Push":
      return onward([{ params: copyOf(params) as JsonObject }, ...stack]);
    case "Pop": {
      const top = popped("params");
      if ("kind" in top) return top;
      return onward(stack.slice(1), { result: params, params: (top as { readonly params: JsonObject }).params });
    }
    case "Try": {
      const { Handler } = state as State;
      return typeof Handler === "string" ? onward([{ catch: Handler }, ...stack]) : lacks("Handler");
    }
    case "Catch": {
      const top = popped("catch");
      return "kind" in top ? top : onward(stack.slice(1));
    }
    case "Let": {
      const { Symbol: symbol, Value } = state as State;
      if (typeof symbol !== "string") return lacks("Symbol");
      if (Value === undefined) return lacks("Value");
      return onward([{ let: { [symbol]: copyOf(Value) } }, ...stack]);
    }
    case "End": {
      const top = popped("let");
      return "kind" in top ? top : onward(stack.slice(1));
    }
    default:
      return rejected(`The state named ${name} has an unknown type`);
  }
}

/** Performs a task. With several of these members, the first one counts. */
function perform(name: string, task: State, { params, stack }: Point, evaluator: Evaluator): Point | Outcome {
  const { Action, Value, Function: text, Next: state } = task;
  if (typeof Action === "string")
    return { kind: "action", state: name, action: Action, point: { state, stack, params } };
  if (Value !== undefined) return inspected(copyOf(Value), { state, stack });
  if (typeof text !== "string") return rejected(`The kind field of the state named ${name} of type Task is missing`);
  const ran = attempt(() => evaluator.run(text, params, stack));
  if ("thrown" in ran) return inspected({ error: `An error has occurred: ${ran.thrown}` }, { state, stack });
  const { result, stack: left } = ran.value;
  if (result instanceof Promise) result.catch(() => undefined);
  const json = attempt(() => copyOf(result === undefined ? {} : result));
  if ("thrown" in json) return rejected(`A function gives no JSON: ${json.thrown}`, 500);
  return inspected(json.value, { state, stack: left });
}

/** The result of some work, or what it throws. */
function attempt<T>(work: () => T): { readonly value: T } | { readonly thrown: unknown } {
  try {
    return { value: work() };
  } catch (thrown) {
    return { thrown };
  }
}
