import type { Json } from "../../../json.ts";
import type { Expression, Foreach, Reduce, Try } from "../../core/ast.ts";
import { isTrue } from "../../library/types.ts";
import { EvaluationError } from "../failure.ts";
import { places } from "../places.ts";
import { BreakSignal, withVariable } from "../scope.ts";
import { computedAt, type Place, at as placedAt, type Standing } from "./place.ts";

/** The places that a left side leads to where there is something true; without such, those of the right side. */
export function* alternatives(left: Expression, right: Expression, scope: Standing, depth: number): Generator<Place> {
  let found = false;
  for (const place of places(left, scope, depth)) {
    if (!isTrue(place.value)) continue;
    found = true;
    yield place;
  }
  if (!found) yield* places(right, scope, depth);
}

/** The places that a body leads to, and after a failure those of the handler. */
export function* attempted({ body, handler }: Try, scope: Standing, depth: number): Generator<Place> {
  let failure: EvaluationError;
  try {
    yield* places(body, scope, depth);
    return;
  } catch (error) {
    if (!handler && error instanceof BreakSignal) return;
    if (!(error instanceof EvaluationError)) throw error;
    failure = error;
  }
  if (handler) yield* places(handler, placedAt(scope, computedAt(scope.place, failure.value, true)), depth);
}

/** The state is a value only: the path is the source's in the update, and the initial one's afterwards. The source's input is null from then on. */
export function* reduced(expression: Reduce, scope: Standing, depth: number): Generator<Place> {
  let { input } = scope;
  for (const initial of places(expression.initial, scope, depth)) {
    let state: State = initial;
    for (const inside of steps(expression, initial, input, scope, depth)) {
      let last = noState;
      for (const place of places(expression.update, resumed(inside, state), depth)) last = place;
      state = last;
    }
    yield computedAt(initial, state.value, state.copied);
    input = null;
  }
}

/** As for `reduce`; the state is a place where it is put out. */
export function* folded(expression: Foreach, scope: Standing, depth: number): Generator<Place> {
  for (const initial of places(expression.initial, scope, depth)) {
    let state: State = initial;
    for (const inside of steps(expression, initial, scope.input, scope, depth)) {
      const states = places(expression.update, resumed(inside, state), depth);
      state = noState;
      for (const place of states) {
        state = place;
        yield* places(expression.extract, placedAt(inside, place), depth);
      }
    }
  }
}

type State = Pick<Place, "value" | "copied">;

/** The state where an update had no output. */
const noState: State = { value: null, copied: true };

const resumed = (inside: Standing, { value, copied }: State): Standing =>
  placedAt(inside, computedAt(inside.place, value, copied));

/** For each output of the source a scope with its variable, whose place is that output's. */
function* steps(
  { name, source }: Reduce | Foreach,
  initial: Place,
  input: Json,
  scope: Standing,
  depth: number,
): Generator<Standing> {
  for (const place of places(source, placedAt(scope, computedAt(initial, input, true)), depth))
    yield { ...placedAt(scope, place), variables: withVariable(scope.variables, name, place.value) };
}
