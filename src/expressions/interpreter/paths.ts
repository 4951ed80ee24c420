import { assertNever, type Json } from "../../json.ts";
import { apartInPath, givesInput, inPaths, isTakenApart, madeBy, unknownInPath } from "../analysis/path-mode.ts";
import type { ArrayConstruction, Call, Expression, Foreach, Logic, Reduce, Try } from "../core/ast.ts";
import { iterated, valueAt } from "../library/access.ts";
import { raise, raiseLimit } from "../library/failure.ts";
import { getPath } from "../library/paths.ts";
import { type Copied, checkAccess, checkIteration, checkPlace, isSame } from "../library/places.ts";
import { isRecord, isTrue } from "../library/types.ts";
import { BreakSignal, called, type Environment, spend, withFunction, withVariable } from "./environment.ts";
import { boundsOf, breakTo, closures, descend, outputs, permitting, untilBreak } from "./evaluate.ts";
import { EvaluationError } from "./failure.ts";
import { each, lastOf, type Stream } from "./streams.ts";

/** The path of each output of an expression in the input; fails if an output is not part of the input. */
export function pathsOf(expression: Expression, environment: Environment, depth: number): Stream<readonly Json[]> {
  const place: Place = { value: environment.input, path: [], at: environment.input, copied: true };
  return each(places(expression, at(environment, place), depth), ({ value, path, at, copied }) => {
    checkPlace(value, at, copied);
    return [path];
  });
}

/** Evaluates an expression in path mode: each output carries jq's current path. */
function places(expression: Expression, environment: Standing, depth: number): Stream<Place> {
  spend(environment.budget);
  const next = depth + 1;
  switch (expression.kind) {
    case "identity":
      return [environment.place];
    case "access":
      return each(outputs(expression.key, environment, next), (key) =>
        each(places(expression.source, environment, next), (place) => inner(place, key, expression.optional)),
      );
    case "slice":
      return each(boundsOf(expression, environment, depth), (key) =>
        each(places(expression.source, environment, next), (place) => inner(place, key, expression.optional)),
      );
    case "iterate":
      return each(places(expression.source, environment, next), (place) => inside(place, expression.optional));
    case "recurse":
      return descend(environment.place, (place) => places(expression.body, at(environment, place), next));
    case "pipe":
      return each(places(expression.left, environment, next), (place) =>
        places(expression.right, at(environment, place), next),
      );
    case "comma":
      return each(expression.items, (item) => places(item, environment, next));
    case "let":
      checkKnown(expression, environment);
      return each(outputs(expression.value, environment, next), (value) =>
        places(
          expression.body,
          { ...environment, variables: withVariable(environment.variables, expression.name, value) },
          next,
        ),
      );
    case "if":
      return each(outputs(expression.condition, environment, next), (value) =>
        places(isTrue(value) ? expression.then : expression.otherwise, environment, next),
      );
    case "alternative":
      return alternatives(expression.left, expression.right, environment, next);
    case "define":
      return places(
        expression.rest,
        { ...environment, ...withFunction(environment, expression.name, expression.parameters, expression.body) },
        next,
      );
    case "apply": {
      const callee = called(expression.name, expression.args, environment);
      return places(callee.body, at(callee.environment, environment.place), 0);
    }
    case "label":
      return untilBreak(expression.name, environment, (inside) =>
        places(expression.body, at(inside, environment.place), next),
      );
    case "break":
      return breakTo(expression.name, environment);
    case "try":
      return attempted(expression, environment, next);
    case "reduce":
      return reduced(expression, environment, next);
    case "foreach":
      return folded(expression, environment, next);
    case "array":
      return placesInArray(expression, environment, next);
    case "logic":
      return placesOfLogic(expression, environment, next);
    case "call":
      return placesOfCall(expression, environment, depth);
    default:
      return computed(expression, environment, depth);
  }
}

/** An invalid path expression fails even if the access is optional. */
function inner({ value, path, at, copied }: Place, key: Json, optional: boolean): Stream<Place> {
  checkAccess(value, at, copied, key);
  return permitting(optional, () => {
    const found = valueAt(value, key);
    return [{ value: found, path: [...path, key], at: found, copied: true }];
  });
}

function inside({ value, path, at, copied }: Place, optional: boolean): Stream<Place> {
  checkIteration(value, at, copied);
  return permitting(optional, () => {
    const keys = isRecord(value) ? Object.keys(value) : undefined;
    return iterated(value).map((item, i) => ({
      value: item,
      path: [...path, keys ? keys[i]! : i],
      at: item,
      copied: true,
    }));
  });
}

/** A value and jq's current path, at which another value may be. */
interface Place {
  readonly value: Json;
  readonly path: readonly Json[];
  /** The value at the path. */
  readonly at: Json;
  readonly copied: Copied;
}

/** An environment whose input has a path. */
interface Standing extends Environment {
  readonly place: Place;
}

/** The environment with another input. */
const at = (environment: Environment, place: Place): Standing => ({ ...environment, input: place.value, place });

/** A computed value; the current path stays. */
const computedAt = (place: Place, value: Json, copied: Copied): Place => ({ ...place, value, copied });

/** The truthy outputs of the left side or, if there are none, the outputs of the right side. */
function* alternatives(left: Expression, right: Expression, environment: Standing, depth: number): Generator<Place> {
  let found = false;
  for (const place of places(left, environment, depth)) {
    if (!isTrue(place.value)) continue;
    found = true;
    yield place;
  }
  if (!found) yield* places(right, environment, depth);
}

/** The outputs of the body and, after an error, those of the handler. */
function* attempted({ body, handler }: Try, environment: Standing, depth: number): Generator<Place> {
  let failure: EvaluationError;
  try {
    yield* places(body, environment, depth);
    return;
  } catch (error) {
    if (!handler && error instanceof BreakSignal) return;
    if (!(error instanceof EvaluationError) || error.isLimit) throw error;
    failure = error;
  }
  if (handler) yield* places(handler, at(environment, computedAt(environment.place, failure.value, undefined)), depth);
}

/**
 * The accumulator is only a value: its path is the source's inside the update and the initial value's afterwards. From
 * the second initial value on, the source's input is null.
 */
function* reduced(expression: Reduce, environment: Standing, depth: number): Generator<Place> {
  let { input } = environment;
  for (const initial of places(expression.initial, environment, depth)) {
    let state: State = initial;
    for (const inside of steps(expression, initial, input, environment, depth)) {
      let last = noState;
      for (const place of places(expression.update, resumed(inside, state), depth)) last = place;
      state = last;
    }
    yield computedAt(initial, state.value, state.copied);
    input = null;
  }
}

/** Like `reduce`, but EXTRACT sees the accumulator with its path. */
function* folded(expression: Foreach, environment: Standing, depth: number): Generator<Place> {
  for (const initial of places(expression.initial, environment, depth)) {
    let state: State = initial;
    for (const inside of steps(expression, initial, environment.input, environment, depth)) {
      const states = places(expression.update, resumed(inside, state), depth);
      state = noState;
      for (const place of states) {
        state = place;
        yield* places(expression.extract, at(inside, place), depth);
      }
    }
  }
}

type State = Pick<Place, "value" | "copied">;

/** The accumulator after an update without output. */
const noState: State = { value: null, copied: true };

const resumed = (inside: Standing, { value, copied }: State): Standing =>
  at(inside, computedAt(inside.place, value, copied));

/** Yields, for each output of the source, the environment with the variable and the path of that output. */
function* steps(
  { name, source }: Reduce | Foreach,
  initial: Place,
  input: Json,
  environment: Standing,
  depth: number,
): Generator<Standing> {
  if (isTakenApart(source)) raiseLimit(apartInPath);
  for (const place of places(source, at(environment, computedAt(initial, input, environment.place.copied)), depth))
    yield { ...at(environment, place), variables: withVariable(environment.variables, name, place.value) };
}

/** Evaluates an expression that has no path mode of its own. */
function computed(expression: Expression, environment: Standing, depth: number): Stream<Place> {
  checkKnown(expression, environment);
  const { place } = environment;
  const copied = expression.kind === "call" && givesInput(expression) ? place.copied : madeBy(expression);
  return each(outputs(expression, environment, depth), (value) => [computedAt(place, value, copied)]);
}

/**
 * Fails with a limit error if jq's behavior is unknown. Additions and copying builtins are decided by their values
 * instead.
 */
function checkKnown(expression: Expression, { place: { value, at, copied } }: Standing): void {
  if (expression.kind === "binary" || (expression.kind === "call" && givesInput(expression))) return;
  const reason = unknownInPath(expression, isSame(value, at, copied ?? false));
  if (reason !== undefined) raiseLimit(reason);
}

/** jq also tracks paths inside an array, but uses only the values. */
function placesInArray({ items }: ArrayConstruction, environment: Standing, depth: number): Stream<Place> {
  const values = items ? Array.from(places(items, environment, depth), ({ value }) => value) : [];
  return [computedAt(environment.place, values, false)];
}

/** The right side sees the path of the left side's output. */
function placesOfLogic({ operator, left, right }: Logic, environment: Standing, depth: number): Stream<Place> {
  const decisive = operator === "or";
  return each(places(left, environment, depth), (first) => {
    if (isTrue(first.value) === decisive) return [computedAt(first, decisive, false)];
    const rest = places(right, at(environment, computedAt(first, environment.input, environment.place.copied)), depth);
    return each(rest, (last) => [computedAt(last, isTrue(last.value), false)]);
  });
}

/** Evaluates a call according to the builtin's behavior in path mode. */
function placesOfCall(expression: Call, environment: Standing, depth: number): Stream<Place> {
  const known = inPaths(expression);
  const last = expression.args.at(-1)!;
  const next = depth + 1;
  switch (known?.kind) {
    case "choice": {
      const counts = closures(expression.args.slice(0, -1), environment, depth);
      return known.choose(counts, () => places(last, environment, next));
    }
    case "last":
      return each(lastOf(places(last, environment, next)), ({ value, copied }) => [
        computedAt(environment.place, value, copied),
      ]);
    case "path":
      return each(outputs(last, environment, next), (path) => [placeUnder(environment.place, path)]);
    case "failure":
      return each(places(last, environment, next), ({ value }) => raise(value));
    case "copy":
      return each(computed(expression, environment, depth), (place) =>
        Object.is(place.value, environment.place.value) ? [place] : unknown(expression),
      );
    case "value":
    case undefined:
      return computed(expression, environment, depth);
    default:
      return assertNever(known);
  }
}

const unknown = (expression: Call): never => raiseLimit(unknownInPath(expression, false)!);

/** Descendants of a value without a path have no path either. */
function placeUnder(place: Place, further: Json): Place {
  const value = getPath(place.value, further);
  if (!isSame(place.value, place.at, place.copied))
    return computedAt(place, value, (further as readonly Json[]).length > 0 ? undefined : place.copied);
  return { value, path: [...place.path, ...(further as readonly Json[])], at: value, copied: true };
}
