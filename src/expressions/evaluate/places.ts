import type { Json } from "../../json.ts";
import type { Call, Expression, Foreach, Reduce, Try } from "../ast.ts";
import { isTruthy } from "../compare.ts";
import { outputs } from "../evaluate.ts";
import { EvaluationError } from "../failure.ts";
import { iterated, valueAt } from "../library/access.ts";
import { raise } from "../library/failure.ts";
import { excerpt } from "../library/json-text.ts";
import { getPath } from "../library/paths.ts";
import { lastOf, limited, skipped } from "../streams.ts";
import { boundsOf, descend, permitting } from "./access.ts";
import { breakTo, untilBreak } from "./control.ts";
import { BreakSignal, called, type Scope, withFunction, withVariable } from "./scope.ts";
import { each, firstOf, type Stream } from "./streams.ts";

/** A value, and where in the whole it stands; no path: it was computed, and stands nowhere. */
interface Place {
  readonly path: readonly Json[] | undefined;
  readonly value: Json;
}

/** Where in the input each output of an expression stands; fails where one stands nowhere. */
export const pathsOf = (expression: Expression, scope: Scope, depth: number): Stream<readonly Json[]> =>
  each(places(expression, { ...scope, path: [] }, depth), ({ path, value }) => [
    path ?? raise(`Invalid path expression with result ${excerpt(value)}`),
  ]);

/** A scope whose input stands at a place. */
interface Standing extends Scope {
  readonly path: readonly Json[] | undefined;
}

const at = (scope: Standing, { path, value }: Place): Standing => ({ ...scope, input: value, path });

function places(expression: Expression, scope: Standing, depth: number): Stream<Place> {
  switch (expression.kind) {
    case "identity":
      return [{ path: scope.path, value: scope.input }];
    case "access":
      return each(outputs(expression.key, scope, depth + 1), (key) =>
        each(places(expression.source, scope, depth + 1), (place) => permitting(expression.optional, () => [inner(place, key)])),
      );
    case "slice":
      return each(boundsOf(expression, scope, depth), (key) =>
        each(places(expression.source, scope, depth + 1), (place) => permitting(expression.optional, () => [inner(place, key)])),
      );
    case "iterate":
      return each(places(expression.source, scope, depth + 1), (place) => permitting(expression.optional, () => inside(place)));
    case "recurse": {
      const start = { path: scope.path, value: scope.input };
      return descend<Place>(start, (place) => places(expression.body, at(scope, place), depth + 1));
    }
    case "call":
      return placesOfCall(expression, scope, depth);
    default:
      return chosenPlaces(expression, scope, depth);
  }
}

type Choosing = Exclude<Expression, { kind: "identity" | "access" | "slice" | "iterate" | "recurse" | "call" }>;

function chosenPlaces(expression: Choosing, scope: Standing, depth: number): Stream<Place> {
  const next = depth + 1;
  switch (expression.kind) {
    case "pipe":
      return each(places(expression.left, scope, next), (place) => places(expression.right, at(scope, place), next));
    case "comma":
      return each(expression.items, (item) => places(item, scope, next));
    case "let":
      return each(outputs(expression.value, scope, next), (value) =>
        places(expression.body, { ...scope, variables: withVariable(scope.variables, expression.name, value) }, next),
      );
    case "if":
      return each(outputs(expression.condition, scope, next), (value) =>
        places(isTruthy(value) ? expression.then : expression.otherwise, scope, next),
      );
    case "alternative":
      return alternatives(expression.left, expression.right, scope, next);
    case "define":
      return places(expression.rest, { ...scope, ...withFunction(scope, expression.name, expression.parameters, expression.body) }, next);
    default:
      return guardedPlaces(expression, scope, depth);
  }
}

type Guarding = Exclude<Choosing, { kind: "pipe" | "comma" | "let" | "if" | "alternative" | "define" }>;

function guardedPlaces(expression: Guarding, scope: Standing, depth: number): Stream<Place> {
  switch (expression.kind) {
    case "apply": {
      const { body, scope: called_ } = called(expression.name, expression.args, scope);
      return places(body, { ...called_, path: scope.path }, 0);
    }
    case "try":
      return attempted(expression, scope, depth + 1);
    case "label":
      return untilBreak(expression.name, scope, (inside) => places(expression.body, { ...scope, ...inside }, depth + 1));
    case "break":
      return breakTo(expression.name, scope);
    case "reduce":
      return reduced(expression, scope, depth + 1);
    case "foreach":
      return folded(expression, scope, depth + 1);
    default:
      return each(outputs(expression, scope, depth), (value): Stream<Place> => [{ path: undefined, value }]);
  }
}

function inner({ path, value }: Place, key: Json): Place {
  if (!path) return raise(`Invalid path expression near attempt to access element ${excerpt(key)} of ${excerpt(value)}`);
  return { path: [...path, key], value: valueAt(value, key) };
}

function inside({ path, value }: Place): Stream<Place> {
  if (!path) return raise(`Invalid path expression near attempt to iterate through ${excerpt(value)}`);
  const keys: readonly Json[] = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value ?? {});
  return iterated(value).map((item, i) => ({ path: [...path, keys[i]!], value: item }));
}

function* alternatives(left: Expression, right: Expression, scope: Standing, depth: number): Generator<Place> {
  let found = false;
  for (const place of places(left, scope, depth)) {
    if (!isTruthy(place.value)) continue;
    found = true;
    yield place;
  }
  if (!found) yield* places(right, scope, depth);
}

function* attempted({ body, handler }: Try, scope: Standing, depth: number): Generator<Place> {
  let failure: EvaluationError;
  try {
    yield* places(body, scope, depth);
    return;
  } catch (error) {
    if (!handler && error instanceof BreakSignal) return;
    if (!(error instanceof EvaluationError)) throw error;
    failure = error;
  }
  if (handler) yield* places(handler, at(scope, { path: undefined, value: failure.value }), depth);
}

function* reduced(expression: Reduce, scope: Standing, depth: number): Generator<Place> {
  for (const initial of places(expression.initial, scope, depth)) {
    let state = initial;
    for (const value of outputs(expression.source, scope, depth)) {
      const variables = withVariable(scope.variables, expression.name, value);
      const states = places(expression.update, { ...at(scope, state), variables }, depth);
      state = { path: undefined, value: null };
      for (const next of states) state = next;
    }
    yield state;
  }
}

function* folded(expression: Foreach, scope: Standing, depth: number): Generator<Place> {
  for (const initial of places(expression.initial, scope, depth)) {
    let state = initial;
    for (const value of outputs(expression.source, scope, depth)) {
      const variables = withVariable(scope.variables, expression.name, value);
      const states = places(expression.update, { ...at(scope, state), variables }, depth);
      state = { path: undefined, value: null };
      for (const next of states) {
        state = next;
        yield* places(expression.extract, { ...at(scope, state), variables }, depth);
      }
    }
  }
}

/** Functions that choose among the outputs of their last argument give places where that does. */
function placesOfCall(expression: Call, scope: Standing, depth: number): Stream<Place> {
  const [first, second] = expression.args;
  switch (`${expression.name}/${expression.args.length}`) {
    case "first/1":
      return firstOf(places(first!, scope, depth + 1));
    case "last/1":
      return lastOf(places(first!, scope, depth + 1));
    case "limit/2":
      return each(outputs(first!, scope, depth + 1), (count) => limited(count, () => places(second!, scope, depth + 1)));
    case "skip/2":
      return each(outputs(first!, scope, depth + 1), (count) => skipped(count, () => places(second!, scope, depth + 1)));
    case "getpath/2":
      return each(outputs(second!, scope, depth + 1), (path) => [placeUnder({ path: scope.path, value: scope.input }, path)]);
    default:
      return each(outputs(expression, scope, depth), (value): Stream<Place> => [{ path: undefined, value }]);
  }
}

function placeUnder({ path, value }: Place, further: Json): Place {
  const found = getPath(value, further);
  if (!path) return raise(`Invalid path expression near attempt to access element ${excerpt(further)} of ${excerpt(value)}`);
  return { path: [...path, ...(further as readonly Json[])], value: found };
}
