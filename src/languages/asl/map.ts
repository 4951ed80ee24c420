import {
  binary,
  bind,
  call,
  collect,
  conditional,
  type Expression,
  identity,
  iterate,
  literal,
  member,
  pipe,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { MapState } from "../../generated/asl-definition.ts";
import type { ForEach } from "../../ir/workflow.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { batchesOf, templateIn } from "./batches.ts";
import type { Writer } from "./context.ts";
import { checkReference, effectiveInput, isJsonata, rawInput, within } from "./data-flow.ts";
import { distributedOnly, inlineTolerance, unsupportedField } from "./diagnostics/kinds.ts";
import { runtimeFailure } from "./failures.ts";
import { isDistributed } from "./graph.ts";
import { program } from "./intrinsic-functions.ts";
import { iterationLimits, toleranceKeys } from "./iteration-limits.ts";
import { ofType, typedAt } from "./jsonata-values.ts";
import { stored } from "./parallel.ts";
import { type Recovery, resultSteps } from "./results.ts";
import { lowerScope } from "./scopes.ts";
import { readItems, resultStore } from "./stored-items.ts";
import { type Field, pathAt, valueAt } from "./templates.ts";

/** Runs the states of the processor for each item; the result is the array of the outputs. */
export function lowerMap(writer: Writer<MapState>): StepFragment {
  const { context, state, construct } = writer;
  const isIsolated = isDistributed(state);
  checkFields(writer);
  const processor = state.ItemProcessor ?? state.Iterator;
  if (!processor) return (next) => next;
  const { input, before } = stored(writer, effectiveInput(writer));
  const { width, tolerates, steps: limits } = iterationLimits(writer, input, isIsolated);
  const isRead = isIsolated && state.ItemReader !== undefined;
  const isWritten = isIsolated && state.ResultWriter !== undefined;
  const read = isRead ? readItems(writer, input) : { items: itemsOf(writer, input), before: () => noSteps };
  const { items } = read;
  const [element, index] = [writer.scope.names.fresh("item"), writer.scope.names.fresh("index")];
  const selector = { owner: state, key: state.ItemSelector === undefined ? "Parameters" : "ItemSelector" };
  const isSelected = valueAt(selector) !== undefined;
  const item = { index: variable(index), value: variable(element) };
  // What fails before the executions of a distributed Map fails the Map itself.
  const list = isIsolated
    ? stored(writer, batchesOf(writer, input, isSelected ? selectedItems(writer, input, items, selector) : items))
    : { input: items, before: () => noSteps };
  const isSelectedInside = isSelected && !isIsolated;
  const value = isSelectedInside ? templateIn({ writer, input, item }, selector) : variable(element);
  const span = spanOf(context, state, state.ItemProcessor ? "ItemProcessor" : "Iterator");
  const scope = lowerScope(writer, processor, { input: value, span, isIsolated });
  const run = (inner: Writer, recovery: () => Recovery): StepFragment =>
    step(
      inner,
      "map",
      construct.span,
      (base, next): ForEach => ({
        ...base,
        kind: "foreach",
        items: list.input,
        element,
        ...(isSelectedInside ? { index } : {}),
        scope,
        width,
        tolerates,
        spans: {
          width: statedSpan(context, state, "MaxConcurrency"),
          tolerates: statedSpan(context, state, toleranceKeys(state)[0] ?? "ToleratedFailureCount"),
        },
        ...recovery(),
        next,
      }),
    );
  return resultSteps(writer, {
    before: (inner) => sequence(before(inner), limits(inner), read.before(inner), list.before(inner)),
    run,
    isWhole: isRead || isWritten,
    ...(isWritten ? { collect: resultStore(writer, input) } : {}),
  });
}

function itemsOf(writer: Writer<MapState>, input: Expression): Expression {
  const { state } = writer;
  if (isJsonata(writer)) return simplify(queriedItems(writer));
  const field = { owner: state, key: "ItemsPath" };
  const path = state.ItemsPath === undefined ? undefined : pathAt({ writer, input }, field);
  if (path) checkReference(writer, field, path);
  const isArray = (value: Expression): Expression =>
    conditional(
      binary("==", call("type", value), literal("array")),
      value,
      runtimeFailure(`The items of ${writer.name} are no array.`),
    );
  return within("items", path?.value ?? input, isArray);
}

/** What the selector makes of each item. */
function selectedItems(writer: Writer<MapState>, input: Expression, items: Expression, selector: Field): Expression {
  const entry = variable("entry");
  const item = { index: member(entry, "key"), value: member(entry, "value") };
  const selected = templateIn({ writer, input, item }, selector);
  return simplify(collect(pipe(iterate(numbered(items)), bind("entry", identity, selected))));
}

const numbered = program("[range(0; $a | length) as $i | { key: $i, value: $a[$i] }]");

/** What `Items` gives, which must be an array; by default, the input. */
function queriedItems(writer: Writer<MapState>): Expression {
  const { state, name } = writer;
  if (state.Items !== undefined) return typedAt({ writer }, { owner: state, key: "Items" }, "array");
  const message = `An error occurred while executing the state '${name}'. Map state input must be an array.`;
  return ofType(rawInput, "array", message);
}

/** Refuses what an inline Map does not have. */
function checkFields({ context, state }: Writer<MapState>): void {
  if (isDistributed(state)) return;
  for (const key of ["ItemReader", "ItemBatcher", "ResultWriter"])
    if (Object.hasOwn(state, key)) context.report(distributedOnly(spanOf(context, state, key, "key"), { field: key }));
  for (const key of toleranceKeys(state))
    context.report(inlineTolerance(spanOf(context, state, key, "key"), { field: key }));
  const { ProcessorConfig: config } = state.ItemProcessor ?? state.Iterator ?? {};
  if (config && Object.hasOwn(config, "ExecutionType"))
    context.report(
      unsupportedField(spanOf(context, config, "ExecutionType", "key"), { what: "`ExecutionType` of an inline Map" }),
    );
}
