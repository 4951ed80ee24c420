import type { Foreach, Reduce } from "../core/ast.ts";
import { factsOf, outputs } from "../facts/facts.ts";
import { codeOf } from "./code.ts";
import { emit, variableName } from "./emit.ts";
import { isGrowth, keepsState } from "./growth.ts";
import { boundPlace, computedAt, type Place, type Sink, sinkOf } from "./place.ts";
import { isPlain } from "./plain.ts";
import { refuse } from "./refusal.ts";
import { isTracked, type Scope, withDot, withVariable } from "./scope.ts";
import { fresh, helper, notLast, type Site } from "./writer.ts";

/**
 * A loop over the outputs of the source, with the state in a variable, once for each initial one. Where paths are told, the state is a value only: the
 * path is the source's in the update, and the initial one's afterwards, as in jq.
 */
export function emitFold(expression: Reduce | Foreach, outside: Scope, site: Site, sink: Sink): string {
  const [state, own] = [fresh(outside.writer, "s"), fresh(outside.writer, "o")];
  return forgetting(expression, outside, (scope, forget) =>
    emit(
      expression.initial,
      outside,
      site,
      sinkOf((initial, at) => {
        const dot = initial.path ? computedAt(initial, scope.dot.value, true) : { value: scope.dot.value };
        const step = sinkOf((item, inner) =>
          named(expression.name, item, outside, (variable) => {
            const inside = withVariable(outside, expression.name, variable);
            return expression.kind === "reduce"
              ? reduceStep(expression, state, own, item, inside, inner)
              : foreachStep(expression, state, item, inside, inner, sink);
          }),
        );
        const loop = emit(expression.source, withDot(scope, dot), notLast(at), step);
        const owned =
          expression.kind === "reduce" && keepsState(expression.update) ? `const ${own} = new Set();\n` : "";
        const start = `let ${state} = ${initial.value};\n${owned}${loop}${forget}`;
        if (expression.kind === "foreach") return start;
        return `${start}${sink.write(initial.path ? computedAt(initial, state, true) : { value: state }, at)}`;
      }),
    ),
  );
}

/** In jq, the source of `reduce` sees null as the input for all initial values but the first. */
function forgetting(expression: Reduce | Foreach, scope: Scope, use: (scope: Scope, forget: string) => string): string {
  const { initial, source } = expression;
  if (expression.kind === "foreach" || outputs(initial) !== "many" || !factsOf(source).usesInput) return use(scope, "");
  if (isTracked(scope)) refuse(initial, "Several initial values of a `reduce` inside of a path are not supported.");
  const dot = fresh(scope.writer, "v");
  return `let ${dot} = ${scope.dot.value};\n${use(withDot(scope, { value: dot }), `${dot} = null;\n`)}`;
}

function named(name: string, item: Place, scope: Scope, use: (variable: string) => string): string {
  if (item.path) return use(item.value);
  const own = variableName(name, scope.writer);
  return `const ${own} = ${item.value};\n${use(own)}`;
}

/** The state with the path that is current. */
const stateAt = (value: string, item: Place): Place => (item.path ? computedAt(item, value, true) : { value });

function reduceStep({ update }: Reduce, state: string, own: string, item: Place, scope: Scope, site: Site): string {
  if (!item.path && isGrowth(update)) {
    const added = codeOf(update.right, scope);
    return `${state} = ${helper(scope.writer, "grown")}(${state}, ${added}, ${own});\n`;
  }
  if (!item.path && isPlain(update)) return `${state} = ${codeOf(update, withDot(scope, { value: state }))};\n`;
  const before = fresh(scope.writer, "v");
  const inside = withDot(scope, stateAt(before, item));
  const set: Sink = { small: true, write: ({ value }) => `${state} = ${value};\n` };
  const body = emit(update, !item.path && keepsState(update) ? { ...inside, owned: own } : inside, notLast(site), set);
  const reset = outputs(update) === "one" ? "" : `${state} = null;\n`;
  return `const ${before} = ${state};\n${reset}${body}`;
}

function foreachStep(expression: Foreach, state: string, item: Place, scope: Scope, site: Site, sink: Sink): string {
  const before = fresh(scope.writer, "v");
  const inside = withDot(scope, stateAt(before, item));
  const next = sinkOf((place, at) =>
    boundPlace(
      scope.writer,
      place,
      (kept) => `${state} = ${kept.value};\n${emit(expression.extract, withDot(scope, kept), at, sink)}`,
    ),
  );
  return `const ${before} = ${state};\n${state} = null;\n${emit(expression.update, inside, notLast(site), next)}`;
}
