import type { Json } from "../../json.ts";
import type { Access, Iterate, Path, Recurse, Slice, Update } from "../core/ast.ts";
import { iterated, valueAt } from "../library/access.ts";
import { draftOf, finished, readAt, writeAt } from "../library/draft.ts";
import { outputs } from "./evaluate.ts";
import { EvaluationError } from "./failure.ts";
import { pathsOf } from "./places.ts";
import type { Scope } from "./scope.ts";
import { each, firstOf, type Stream } from "./streams.ts";

/** The keys are evaluated first: they vary slowest. */
export const access = ({ source, key, optional }: Access, scope: Scope, depth: number): Stream<Json> =>
  each(outputs(key, scope, depth + 1), (at) =>
    each(outputs(source, scope, depth + 1), (value) => permitting(optional, () => [valueAt(value, at)])),
  );

export const slice = (expression: Slice, scope: Scope, depth: number): Stream<Json> =>
  each(boundsOf(expression, scope, depth), (bounds) =>
    each(outputs(expression.source, scope, depth + 1), (value) =>
      permitting(expression.optional, () => [valueAt(value, bounds)]),
    ),
  );

/** What a slice is taken under, as jq has it in paths too: `{"start": …, "end": …}`. */
export const boundsOf = ({ from, upTo }: Slice, scope: Scope, depth: number): Stream<Json> =>
  each(from ? outputs(from, scope, depth + 1) : [null], (start) =>
    each(upTo ? outputs(upTo, scope, depth + 1) : [null], (end): Stream<Json> => [{ start, end }]),
  );

export const iterate = ({ source, optional }: Iterate, scope: Scope, depth: number): Stream<Json> =>
  each(outputs(source, scope, depth + 1), (value) => permitting(optional, () => iterated(value)));

/** What is made of a value; nothing where that fails and may fail. */
export function permitting<T>(optional: boolean, use: () => Stream<T>): Stream<T> {
  if (!optional) return use();
  try {
    return use();
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return [];
  }
}

export const recurse = ({ body }: Recurse, scope: Scope, depth: number): Stream<Json> =>
  descend(scope.input, (input) => outputs(body, { ...scope, input }, depth + 1));

/** A value and all that comes from it, depth first; on a stack of its own, since there is no limit to how deep that goes. */
export function* descend<T>(root: T, next: (value: T) => Stream<T>): Generator<T> {
  yield root;
  const open = [next(root)[Symbol.iterator]()];
  try {
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const { done, value } = top.next();
      if (done) {
        open.pop();
        continue;
      }
      yield value;
      open.push(next(value)[Symbol.iterator]());
    }
  } finally {
    for (const iterator of open.reverse()) iterator.return?.();
  }
}

export const path = ({ body }: Path, scope: Scope, depth: number): Stream<Json> => pathsOf(body, scope, depth + 1);

/** The places are those of the input as it was; each is given a new value in what the places before it have made of it. */
export function update({ path: where, value }: Update, scope: Scope, depth: number): Stream<Json> {
  const draft = draftOf(scope.input);
  const deleted: Json[] = [];
  for (const at of pathsOf(where, scope, depth + 1)) {
    const [replacement] = firstOf(outputs(value, { ...scope, input: readAt(draft, at) }, depth + 1));
    if (replacement === undefined) deleted.push(at);
    else writeAt(draft, at, replacement);
  }
  return [finished(draft, deleted)];
}
