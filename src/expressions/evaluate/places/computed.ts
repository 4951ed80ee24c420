import type { Json } from "../../../json.ts";
import type { ArrayConstruction, Call, Expression, Logic } from "../../core/ast.ts";
import { raise } from "../../library/failure.ts";
import { getPath } from "../../library/paths.ts";
import { isSame } from "../../library/places.ts";
import { isTrue } from "../../library/types.ts";
import { copying } from "../copying.ts";
import { outputs } from "../evaluate.ts";
import { lastOf, limited, skipped } from "../outputs.ts";
import { places } from "../places.ts";
import { each, firstOf, type Stream } from "../streams.ts";
import { computedAt, type Place, at as placedAt, type Standing } from "./place.ts";

/** Values that are made where no paths are told. */
export function computed(expression: Expression, scope: Standing, depth: number): Stream<Place> {
  const copied = expression.kind === "variable" || (expression.kind === "call" && copying.has(expression.name));
  return each(outputs(expression, scope, depth), (value) => [computedAt(scope.place, value, copied)]);
}

/** jq tells paths inside of an array too, and fails there where a place is wanted. */
export function placesInArray({ items }: ArrayConstruction, scope: Standing, depth: number): Stream<Place> {
  const values = items ? Array.from(places(items, scope, depth), ({ value }) => value) : [];
  return [computedAt(scope.place, values, false)];
}

/** The right side sees the path that the left side led to. */
export function placesOfLogic({ operator, left, right }: Logic, scope: Standing, depth: number): Stream<Place> {
  const decisive = operator === "or";
  return each(places(left, scope, depth), (first) => {
    if (isTrue(first.value) === decisive) return [computedAt(first, decisive, false)];
    const rest = places(right, placedAt(scope, computedAt(first, scope.input, true)), depth);
    return each(rest, (last) => [computedAt(last, isTrue(last.value), false)]);
  });
}

/** Functions that choose among the outputs of their last argument give places where that does. */
export function placesOfCall(expression: Call, scope: Standing, depth: number): Stream<Place> {
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
