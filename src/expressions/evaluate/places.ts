import type { Json } from "../../json.ts";
import type { Expression } from "../core/ast.ts";
import { iterated, valueAt } from "../library/access.ts";
import { checkAccess, checkIteration, checkPlace } from "../library/places.ts";
import { isRecord, isTrue } from "../library/types.ts";
import { boundsOf, descend, permitting } from "./access.ts";
import { breakTo, untilBreak } from "./control.ts";
import { outputs } from "./evaluate.ts";
import { computed, placesInArray, placesOfCall, placesOfLogic } from "./places/computed.ts";
import { alternatives, attempted, folded, reduced } from "./places/control.ts";
import { at, type Place, type Standing } from "./places/place.ts";
import { called, type Scope, withFunction, withVariable } from "./scope.ts";
import { each, type Stream } from "./streams.ts";

/** Where in the input each output of an expression stands; fails where one stands nowhere. */
export function pathsOf(expression: Expression, scope: Scope, depth: number): Stream<readonly Json[]> {
  const place: Place = { value: scope.input, path: [], at: scope.input, copied: true };
  return each(places(expression, at(scope, place), depth), ({ value, path, at, copied }) => {
    checkPlace(value, at, copied);
    return [path];
  });
}

/** The outputs of an expression, each with the path that jq has come to when it is put out. */
export function places(expression: Expression, scope: Standing, depth: number): Stream<Place> {
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
    default:
      return chosenPlaces(expression, scope, depth);
  }
}

type Choosing = Exclude<
  Expression,
  { kind: "identity" | "access" | "slice" | "iterate" | "recurse" | "pipe" | "comma" }
>;

function chosenPlaces(expression: Choosing, scope: Standing, depth: number): Stream<Place> {
  const next = depth + 1;
  switch (expression.kind) {
    case "let":
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
    default:
      return furtherPlaces(expression, scope, depth);
  }
}

type Further = Exclude<Choosing, { kind: "let" | "if" | "alternative" | "define" | "apply" | "label" | "break" }>;

function furtherPlaces(expression: Further, scope: Standing, depth: number): Stream<Place> {
  const next = depth + 1;
  switch (expression.kind) {
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
