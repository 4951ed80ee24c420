import type { Json } from "../../json.ts";
import type { ArrayConstruction, Call, Expression, Foreach, Logic, Reduce, Try } from "../core/ast.ts";
import { givesInput, unknownInPath } from "../facts/in-paths.ts";
import { iterated, valueAt } from "../library/access.ts";
import { raise, raiseLimit } from "../library/failure.ts";
import { getPath } from "../library/paths.ts";
import { checkAccess, checkIteration, checkPlace, isSame } from "../library/places.ts";
import { isRecord, isTrue } from "../library/types.ts";
import { boundsOf, breakTo, descend, outputs, permitting, untilBreak } from "./evaluate.ts";
import { EvaluationError } from "./failure.ts";
import { BreakSignal, called, type Scope, spend, withFunction, withVariable } from "./scope.ts";
import { each, firstOf, lastOf, limited, type Stream, skipped } from "./streams.ts";

/** Where in the input each output of an expression stands; fails where one stands nowhere. */
export function pathsOf(expression: Expression, scope: Scope, depth: number): Stream<readonly Json[]> {
  const place: Place = { value: scope.input, path: [], at: scope.input, copied: true };
  return each(places(expression, at(scope, place), depth), ({ value, path, at, copied }) => {
    checkPlace(value, at, copied);
    return [path];
  });
}

/** The outputs of an expression, each with the path that jq has come to when it is put out. */
function places(expression: Expression, scope: Standing, depth: number): Stream<Place> {
  spend(scope.budget);
  const next = depth + 1;
  switch (expression.kind) {
    case "identity":
      return [scope.place];
    case "access":
      return each(outputs(expression.key, scope, next), (key) =>
        each(places(expression.source, scope, next), (place) => inner(place, key, expression.optional)),
      );
    case "slice":
      return each(boundsOf(expression, scope, depth), (key) =>
        each(places(expression.source, scope, next), (place) => inner(place, key, expression.optional)),
      );
    case "iterate":
      return each(places(expression.source, scope, next), (place) => inside(place, expression.optional));
    case "recurse":
      return descend(scope.place, (place) => places(expression.body, at(scope, place), next));
    case "pipe":
      return each(places(expression.left, scope, next), (place) => places(expression.right, at(scope, place), next));
    case "comma":
      return each(expression.items, (item) => places(item, scope, next));
    case "let":
      checkKnown(expression, scope);
      return each(outputs(expression.value, scope, next), (value) =>
        places(expression.body, { ...scope, variables: withVariable(scope.variables, expression.name, value) }, next),
      );
    case "if":
      return each(outputs(expression.condition, scope, next), (value) =>
        places(isTrue(value) ? expression.then : expression.otherwise, scope, next),
      );
    case "alternative":
      return alternatives(expression.left, expression.right, scope, next);
    case "define":
      return places(
        expression.rest,
        { ...scope, ...withFunction(scope, expression.name, expression.parameters, expression.body) },
        next,
      );
    case "apply": {
      const callee = called(expression.name, expression.args, scope);
      return places(callee.body, at(callee.scope, scope.place), 0);
    }
    case "label":
      return untilBreak(expression.name, scope, (inside) => places(expression.body, at(inside, scope.place), next));
    case "break":
      return breakTo(expression.name, scope);
    case "try":
      return attempted(expression, scope, next);
    case "reduce":
      return reduced(expression, scope, next);
    case "foreach":
      return folded(expression, scope, next);
    case "array":
      return placesInArray(expression, scope, next);
    case "logic":
      return placesOfLogic(expression, scope, next);
    case "call":
      return placesOfCall(expression, scope, depth);
    default:
      return computed(expression, scope, depth);
  }
}

/** That a value stands nowhere is no failure that an optional access may have. */
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

/** A value, and the path that jq has come to when it has it: another value may stand there. */
interface Place {
  readonly value: Json;
  readonly path: readonly Json[];
  /** The value at the path. */
  readonly at: Json;
  /** Whether a text or number is the very one that it was made from, and no other one that is equal. */
  readonly copied: boolean;
}

/** A scope whose input is a place. */
interface Standing extends Scope {
  readonly place: Place;
}

/** A scope with another place as its input. */
const at = (scope: Scope, place: Place): Standing => ({ ...scope, input: place.value, place });

/** A value that was computed from a place: the path is still that of the place. */
const computedAt = (place: Place, value: Json, copied: boolean): Place => ({ ...place, value, copied });

/** The places that a left side leads to where there is something true; without such, those of the right side. */
function* alternatives(left: Expression, right: Expression, scope: Standing, depth: number): Generator<Place> {
  let found = false;
  for (const place of places(left, scope, depth)) {
    if (!isTrue(place.value)) continue;
    found = true;
    yield place;
  }
  if (!found) yield* places(right, scope, depth);
}

/** The places that a body leads to, and after a failure those of the handler. */
function* attempted({ body, handler }: Try, scope: Standing, depth: number): Generator<Place> {
  let failure: EvaluationError;
  try {
    yield* places(body, scope, depth);
    return;
  } catch (error) {
    if (!handler && error instanceof BreakSignal) return;
    if (!(error instanceof EvaluationError) || error.isLimit) throw error;
    failure = error;
  }
  if (handler) yield* places(handler, at(scope, computedAt(scope.place, failure.value, true)), depth);
}

/** The state is a value only: the path is the source's in the update, and the initial one's afterwards. The source's input is null from then on. */
function* reduced(expression: Reduce, scope: Standing, depth: number): Generator<Place> {
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
function* folded(expression: Foreach, scope: Standing, depth: number): Generator<Place> {
  for (const initial of places(expression.initial, scope, depth)) {
    let state: State = initial;
    for (const inside of steps(expression, initial, scope.input, scope, depth)) {
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

/** The state where an update had no output. */
const noState: State = { value: null, copied: true };

const resumed = (inside: Standing, { value, copied }: State): Standing =>
  at(inside, computedAt(inside.place, value, copied));

/** For each output of the source a scope with its variable, whose place is that output's. */
function* steps(
  { name, source }: Reduce | Foreach,
  initial: Place,
  input: Json,
  scope: Standing,
  depth: number,
): Generator<Standing> {
  for (const place of places(source, at(scope, computedAt(initial, input, true)), depth))
    yield { ...at(scope, place), variables: withVariable(scope.variables, name, place.value) };
}

/** Values that are made where no paths are told. */
function computed(expression: Expression, scope: Standing, depth: number): Stream<Place> {
  checkKnown(expression, scope);
  const copied = expression.kind === "variable" || (expression.kind === "call" && givesInput(expression));
  return each(outputs(expression, scope, depth), (value) => [computedAt(scope.place, value, copied)]);
}

/** Ends with a limit where it cannot be said what jq does. Of additions, and of what gives its input, it shows in their values. */
function checkKnown(expression: Expression, { place: { value, at, copied } }: Standing): void {
  if (expression.kind === "binary" || (expression.kind === "call" && givesInput(expression))) return;
  const reason = unknownInPath(expression, isSame(value, at, copied));
  if (reason !== undefined) raiseLimit(reason);
}

/** jq tells paths inside of an array too, and fails there where a place is wanted. */
function placesInArray({ items }: ArrayConstruction, scope: Standing, depth: number): Stream<Place> {
  const values = items ? Array.from(places(items, scope, depth), ({ value }) => value) : [];
  return [computedAt(scope.place, values, false)];
}

/** The right side sees the path that the left side led to. */
function placesOfLogic({ operator, left, right }: Logic, scope: Standing, depth: number): Stream<Place> {
  const decisive = operator === "or";
  return each(places(left, scope, depth), (first) => {
    if (isTrue(first.value) === decisive) return [computedAt(first, decisive, false)];
    const rest = places(right, at(scope, computedAt(first, scope.input, true)), depth);
    return each(rest, (last) => [computedAt(last, isTrue(last.value), false)]);
  });
}

/** Functions that choose among the outputs of their last argument give places where that does. */
function placesOfCall(expression: Call, scope: Standing, depth: number): Stream<Place> {
  const [first, second] = expression.args;
  const next = depth + 1;
  switch (`${expression.name}/${expression.args.length}`) {
    case "first/1":
      return firstOf(places(first!, scope, next));
    case "last/1":
      return each(lastOf(places(first!, scope, next)), ({ value }) => [computedAt(scope.place, value, true)]);
    case "limit/2":
      return each(outputs(first!, scope, next), (count) => limited(count, () => places(second!, scope, next)));
    case "skip/2":
      return each(outputs(first!, scope, next), (count) => skipped(count, () => places(second!, scope, next)));
    case "getpath/2":
      return each(outputs(second!, scope, next), (path) => [placeUnder(scope.place, path)]);
    case "error/1":
      return each(places(first!, scope, next), ({ value }) => raise(value));
    default:
      return computed(expression, scope, depth);
  }
}

/** What is below a value that stands nowhere stands nowhere either. */
function placeUnder(place: Place, further: Json): Place {
  const value = getPath(place.value, further);
  if (!isSame(place.value, place.at, place.copied)) return computedAt(place, value, true);
  return { value, path: [...place.path, ...(further as readonly Json[])], at: value, copied: true };
}
