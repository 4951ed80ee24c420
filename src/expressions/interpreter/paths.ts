import { assertNever, type Json } from "../../json.ts";
import {
  copyStateOf,
  destructuringInPath,
  isDestructuring,
  mayReturnInput,
  pathBehaviorOf,
  unsupportedInPath,
} from "../analysis/path-mode.ts";
import type { ArrayConstruction, Call, Expression, Fold, Form, Logic } from "../core/ast.ts";
import { each, lastOf, type Stream } from "../core/streams.ts";
import { formOf, isBinary } from "../core/views.ts";
import { elementsOf, valueAt } from "../library/access.ts";
import { raise, raiseLimit } from "../library/failure.ts";
import { type CopyState, checkAccess, checkIteration, checkPathResult, isAtPath } from "../library/path-checks.ts";
import { getPath } from "../library/paths.ts";
import { isRecord, isTrue } from "../library/types.ts";
import { alternativeOutputs, controlOutputs, type PartEvaluator } from "./control.ts";
import { type Environment, resolveCall, spend, withVariable } from "./environment.ts";
import { closures, descend, outputs, suppressErrors } from "./evaluate.ts";

/** The path of each output in the input; fails if it has none. */
export function pathsOf(expression: Expression, environment: Environment, depth: number): Stream<readonly Json[]> {
  const place: PathValue = { value: environment.input, path: [], valueAtPath: environment.input, copied: true };
  return each(
    outputsWithPaths(expression, withCurrent(environment, place), depth),
    ({ value, path, valueAtPath: at, copied }) => {
      checkPathResult(value, at, copied);
      return [path];
    },
  );
}

function outputsWithPaths(expression: Expression, environment: PathEnvironment, depth: number): Stream<PathValue> {
  spend(environment.budget);
  const next = depth + 1;
  switch (expression.kind) {
    case "identity":
      return [environment.current];
    case "access":
      return each(outputs(expression.key, environment, next), (key) =>
        each(outputsWithPaths(expression.source, environment, next), (place) =>
          accessKey(place, key, expression.optional),
        ),
      );
    case "iterate":
      return each(outputsWithPaths(expression.source, environment, next), (place) =>
        iterateValue(place, expression.optional),
      );
    case "pipe":
      return each(outputsWithPaths(expression.left, environment, next), (place) =>
        outputsWithPaths(expression.right, withCurrent(environment, place), next),
      );
    case "fold":
      return expression.extract
        ? foreachOutputs(expression, expression.extract, environment, next)
        : reduceOutputs(expression, environment, next);
    case "array":
      return arrayOutput(expression, environment, next);
    case "call":
      return callOutputs(expression, environment, depth);
    default:
      if (expression.kind === "let") checkSupported(expression, environment);
      return controlOutputs(expression, environment, depth, byPlace) ?? computedOutputs(expression, environment, depth);
  }
}

/** Invalid path expressions fail even if the access is optional. */
function accessKey(
  { value, path, valueAtPath: at, copied }: PathValue,
  key: Json,
  optional: boolean,
): Stream<PathValue> {
  checkAccess(value, at, copied, key);
  return suppressErrors(optional, () => {
    const found = valueAt(value, key);
    return [{ value: found, path: [...path, key], valueAtPath: found, copied: true }];
  });
}

function iterateValue({ value, path, valueAtPath: at, copied }: PathValue, optional: boolean): Stream<PathValue> {
  checkIteration(value, at, copied);
  return suppressErrors(optional, () => {
    const keys = isRecord(value) ? Object.keys(value) : undefined;
    return elementsOf(value).map((item, i) => ({
      value: item,
      path: [...path, keys ? keys[i]! : i],
      valueAtPath: item,
      copied: true,
    }));
  });
}

/** The value may differ from the one at jq's current path. */
interface PathValue {
  readonly value: Json;
  readonly path: readonly Json[];
  readonly valueAtPath: Json;
  readonly copied: CopyState;
}

interface PathEnvironment extends Environment {
  readonly current: PathValue;
}

const withCurrent = (environment: Environment, place: PathValue): PathEnvironment => ({
  ...environment,
  input: place.value,
  current: place,
});

const withValue = (place: PathValue, value: Json, copied: CopyState): PathValue => ({ ...place, value, copied });

/** Evaluates parts to values with paths. */
const byPlace: PartEvaluator<PathEnvironment, PathValue> = {
  evaluate: outputsWithPaths,
  valueOf: ({ value }) => value,
  withFailure: (environment, failure) => withCurrent(environment, withValue(environment.current, failure, undefined)),
};

/** The accumulator's path is the source's in the update and the initial value's afterwards. */
function* reduceOutputs(expression: Fold, environment: PathEnvironment, depth: number): Generator<PathValue> {
  let { input } = environment;
  for (const initial of outputsWithPaths(expression.initial, environment, depth)) {
    let state: Accumulator = initial;
    for (const inside of sourceOutputs(expression, initial, input, environment, depth)) {
      let last = noOutput;
      for (const place of outputsWithPaths(expression.update, withState(inside, state), depth)) last = place;
      state = last;
    }
    yield withValue(initial, state.value, state.copied);
    input = null;
  }
}

/** Like `reduce`, but EXTRACT sees the accumulator with its path. */
function* foreachOutputs(
  expression: Fold,
  extract: Expression,
  environment: PathEnvironment,
  depth: number,
): Generator<PathValue> {
  for (const initial of outputsWithPaths(expression.initial, environment, depth)) {
    let state: Accumulator = initial;
    for (const inside of sourceOutputs(expression, initial, environment.input, environment, depth)) {
      const states = outputsWithPaths(expression.update, withState(inside, state), depth);
      state = noOutput;
      for (const place of states) {
        state = place;
        yield* outputsWithPaths(extract, withCurrent(inside, place), depth);
      }
    }
  }
}

type Accumulator = Pick<PathValue, "value" | "copied">;

const noOutput: Accumulator = { value: null, copied: true };

const withState = (inside: PathEnvironment, { value, copied }: Accumulator): PathEnvironment =>
  withCurrent(inside, withValue(inside.current, value, copied));

function* sourceOutputs(
  { name, source }: Fold,
  initial: PathValue,
  input: Json,
  environment: PathEnvironment,
  depth: number,
): Generator<PathEnvironment> {
  if (isDestructuring(source)) raiseLimit(destructuringInPath);
  for (const place of outputsWithPaths(
    source,
    withCurrent(environment, withValue(initial, input, environment.current.copied)),
    depth,
  ))
    yield { ...withCurrent(environment, place), variables: withVariable(environment.variables, name, place.value) };
}

function computedOutputs(expression: Expression, environment: PathEnvironment, depth: number): Stream<PathValue> {
  checkSupported(expression, environment);
  const { current: place } = environment;
  const copied = expression.kind === "call" && mayReturnInput(expression) ? place.copied : copyStateOf(expression);
  return each(outputs(expression, environment, depth), (value) => [withValue(place, value, copied)]);
}

/** A limit error if jq's behavior is unknown. */
function checkSupported(
  expression: Expression,
  { current: { value, valueAtPath: at, copied } }: PathEnvironment,
): void {
  if (expression.kind === "call" && (isBinary(expression) || mayReturnInput(expression))) return;
  const reason = unsupportedInPath(expression, isAtPath(value, at, copied ?? false));
  if (reason !== undefined) raiseLimit(reason);
}

/** jq tracks paths in an array too, but uses only the values. */
function arrayOutput({ items }: ArrayConstruction, environment: PathEnvironment, depth: number): Stream<PathValue> {
  const values = items ? Array.from(outputsWithPaths(items, environment, depth), ({ value }) => value) : [];
  return [withValue(environment.current, values, false)];
}

/** The right side sees the path of the left side's output. */
function logicOutputs(
  { name, args: [left, right] }: Logic,
  environment: PathEnvironment,
  depth: number,
): Stream<PathValue> {
  const decisive = name === "or";
  return each(outputsWithPaths(left, environment, depth), (first) => {
    if (isTrue(first.value) === decisive) return [withValue(first, decisive, false)];
    const rest = outputsWithPaths(
      right,
      withCurrent(environment, withValue(first, environment.input, environment.current.copied)),
      depth,
    );
    return each(rest, (last) => [withValue(last, isTrue(last.value), false)]);
  });
}

function callOutputs(expression: Call, environment: PathEnvironment, depth: number): Stream<PathValue> {
  if (expression.isLocal) {
    const callee = resolveCall(expression.name, expression.args, environment);
    return outputsWithPaths(callee.body, withCurrent(callee.environment, environment.current), 0);
  }
  const form = formOf(expression);
  return form ? formOutputs(form, environment, depth) : builtinOutputs(expression, environment, depth);
}

function formOutputs(form: Form, environment: PathEnvironment, depth: number): Stream<PathValue> {
  const next = depth + 1;
  switch (form.name) {
    case "and":
    case "or":
      return logicOutputs(form, environment, next);
    case "alternative":
      return alternativeOutputs(form, environment, depth, byPlace);
    case "recurse":
      return descend(environment.current, (place) =>
        outputsWithPaths(form.args[0], withCurrent(environment, place), next),
      );
    case "path":
    case "update":
      return computedOutputs(form, environment, depth);
    default:
      return assertNever(form);
  }
}

function builtinOutputs(expression: Call, environment: PathEnvironment, depth: number): Stream<PathValue> {
  const known = pathBehaviorOf(expression);
  const last = expression.args.at(-1)!;
  const next = depth + 1;
  switch (known?.kind) {
    case "choice": {
      const counts = closures(expression.args.slice(0, -1), environment, depth);
      return known.choose(counts, () => outputsWithPaths(last, environment, next));
    }
    case "last":
      return each(lastOf(outputsWithPaths(last, environment, next)), ({ value, copied }) => [
        withValue(environment.current, value, copied),
      ]);
    case "path":
      return each(outputs(last, environment, next), (path) => [descendantAt(environment.current, path)]);
    case "failure":
      return each(outputsWithPaths(last, environment, next), ({ value }) => raise(value));
    case "copy":
      return each(computedOutputs(expression, environment, depth), (place) =>
        Object.is(place.value, environment.current.value) ? [place] : unknown(expression),
      );
    case "value":
    case undefined:
      return computedOutputs(expression, environment, depth);
    default:
      return assertNever(known);
  }
}

const unknown = (expression: Call): never => raiseLimit(unsupportedInPath(expression, false)!);

function descendantAt(place: PathValue, further: Json): PathValue {
  const value = getPath(place.value, further);
  if (!isAtPath(place.value, place.valueAtPath, place.copied))
    return withValue(place, value, (further as readonly Json[]).length > 0 ? undefined : place.copied);
  return { value, path: [...place.path, ...(further as readonly Json[])], valueAtPath: value, copied: true };
}
