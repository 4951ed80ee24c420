import { binary, call, conditional, type Expression, literal, simplify, variable } from "../../expressions/index.ts";
import type { MapState } from "../../generated/asl-definition.ts";
import type { ForEach } from "../../ir/workflow.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import { type StepFragment, sequence, step } from "../shared/steps.ts";
import type { Writer } from "./context.ts";
import { checkReference, effectiveInput, within } from "./data-flow.ts";
import { unsupportedField } from "./diagnostics/kinds.ts";
import { runtimeFailure } from "./failures.ts";
import { stored } from "./parallel.ts";
import { type Recovery, resultSteps } from "./results.ts";
import { lowerScope } from "./scopes.ts";
import { pathAt, templateAt, valueAt } from "./templates.ts";

/** How many iterations of an inline Map Step Functions runs at once. */
const maxConcurrency = 40;

/** Runs the states of the processor for each item; the result is the array of the outputs. */
export function lowerMap(writer: Writer<MapState>): StepFragment {
  const { context, state, construct } = writer;
  checkFields(writer);
  const processor = state.ItemProcessor ?? state.Iterator;
  if (!processor) return (next) => next;
  const { input, steps } = stored(writer, effectiveInput(writer));
  const items = itemsOf(writer, input);
  const [element, index] = [writer.scope.names.fresh("item"), writer.scope.names.fresh("index")];
  const item = { index: variable(index), value: variable(element) };
  const selector = state.ItemSelector === undefined ? "Parameters" : "ItemSelector";
  const isSelected = valueAt({ owner: state, key: selector }) !== undefined;
  const value = isSelected
    ? simplify(templateAt({ writer, input, item }, { owner: state, key: selector }))
    : variable(element);
  const key = state.ItemProcessor ? "ItemProcessor" : "Iterator";
  const scope = lowerScope(writer, processor, { input: value, span: spanOf(context, state, key) });
  const { MaxConcurrency: given } = state;
  const width = typeof given === "number" && given > 0 ? Math.min(given, maxConcurrency) : maxConcurrency;
  const run = (inner: Writer, recovery: () => Recovery): StepFragment =>
    step(
      inner,
      "map",
      construct.span,
      (base, next): ForEach => ({
        ...base,
        kind: "foreach",
        items,
        element,
        ...(isSelected ? { index } : {}),
        scope,
        width,
        spans: { width: statedSpan(context, state, "MaxConcurrency") },
        ...recovery(),
        next,
      }),
    );
  return sequence(steps, resultSteps(writer, run));
}

function itemsOf(writer: Writer<MapState>, input: Expression): Expression {
  const { state } = writer;
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

/** Refuses what an inline Map does not have, and what is not compiled yet. */
function checkFields({ context, state }: Writer<MapState>): void {
  const refuse = (owner: object, key: string, what: string): void => {
    if (Object.hasOwn(owner, key)) context.report(unsupportedField(spanOf(context, owner, key, "key"), { what }));
  };
  for (const key of ["ItemReader", "ItemBatcher", "ResultWriter"]) refuse(state, key, `\`${key}\``);
  refuse(state, "MaxConcurrencyPath", "A computed number of concurrent iterations");
  for (const key of ["ToleratedFailureCount", "ToleratedFailurePercentage"] as const) {
    if (state[key] !== 0) refuse(state, key, "A number of failures that a Map tolerates");
    refuse(state, `${key}Path`, "A number of failures that a Map tolerates");
  }
  const { ProcessorConfig: config } = state.ItemProcessor ?? state.Iterator ?? {};
  if (config?.Mode === "DISTRIBUTED")
    context.report(unsupportedField(spanOf(context, config, "Mode"), { what: "A distributed Map" }));
  else if (config) refuse(config, "ExecutionType", "`ExecutionType` of an inline Map");
}
