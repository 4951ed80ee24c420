import type { Json } from "../../json.ts";
import { effectsOf, outputs as outputsOf } from "../analysis/effects.ts";
import type { Expression, Fold } from "../core/ast.ts";
import { firstOf, type Stream } from "../core/streams.ts";
import { isBinary, isUpdate } from "../core/views.ts";
import { appendTo } from "../library/draft.ts";
import { type Environment, withVariable } from "./environment.ts";
import { outputs, update } from "./evaluate.ts";

/** Folds the outputs of the source. */
export const fold = (expression: Fold, environment: Environment, depth: number): Stream<Json> =>
  expression.extract
    ? foreach(expression, expression.extract, environment, depth)
    : reduce(expression, environment, depth);

/** As in jq, an update without output sets the accumulator to null. */
function* reduce(expression: Fold, environment: Environment, depth: number): Generator<Json> {
  let outside = environment;
  for (const initial of outputs(expression.initial, environment, depth + 1)) {
    let input = initial;
    const owned = new Set<Json>();
    for (const value of outputs(expression.source, outside, depth + 1)) {
      const variables = withVariable(environment.variables, expression.name, value);
      input = nextState(expression.update, { ...environment, input, variables }, depth + 1, owned);
    }
    yield input;
    outside = { ...environment, input: null };
  }
}

/** In place if nothing else references the changed part, so n updates do not copy n states. */
function nextState(whole: Expression, environment: Environment, depth: number, owned: Set<Json>): Json {
  const added = appendedPart(whole);
  if (added) return appendTo(environment.input, onlyOutput(outputs(added, environment, depth)), owned);
  let expression = whole;
  let inside = environment;
  while (expression.kind === "let" && isPathUpdate(expression)) {
    const value = onlyOutput(outputs(expression.value, inside, depth));
    inside = { ...inside, variables: withVariable(inside.variables, expression.name, value) };
    expression = expression.body;
  }
  if (isUpdate(expression) && isPathUpdate(expression)) return update(expression, inside, depth, owned);
  owned.clear();
  return lastOutput(outputs(expression, inside, depth));
}

function lastOutput(values: Stream<Json>): Json {
  let last: Json = null;
  for (const value of values) last = value;
  return last;
}

/** Like `reduce`, but yields per output of the update. */
function* foreach(expression: Fold, extract: Expression, environment: Environment, depth: number): Generator<Json> {
  for (const initial of outputs(expression.initial, environment, depth + 1)) {
    let input = initial;
    for (const value of outputs(expression.source, environment, depth + 1)) {
      const inside = { ...environment, variables: withVariable(environment.variables, expression.name, value) };
      const states = outputs(expression.update, { ...inside, input }, depth + 1);
      input = null;
      for (const state of states) {
        input = state;
        yield* outputs(extract, { ...inside, input }, depth + 1);
      }
    }
  }
}

const onlyOutput = (values: Stream<Json>): Json => firstOf(values)[0]!;

/** E of `. + E`, if it is independent of the accumulator. */
function appendedPart(update: Expression): Expression | undefined {
  if (!isBinary(update) || update.name !== "+") return undefined;
  const [left, right] = update.args;
  return left.kind === "identity" && outputsOf(right) === "one" && !effectsOf(right).usesInput ? right : undefined;
}

/** Matches an update of one path. */
function isPathUpdate(expression: Expression): boolean {
  if (expression.kind === "let")
    return (
      outputsOf(expression.value) === "one" && !effectsOf(expression.value).usesInput && isPathUpdate(expression.body)
    );
  return isUpdate(expression) && outputsOf(expression.args[0]) !== "many";
}
