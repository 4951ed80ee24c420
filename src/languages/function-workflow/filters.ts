import { call, collect, comma, type Expression, firstOr, literal, object } from "../../expressions/index.ts";
import type { Filter } from "../../generated/function-workflow-definition.ts";
import { truncate } from "../../text/messages.ts";
import { pathAt, spanOf } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment } from "../shared/steps.ts";
import { type Context, data, type Writer } from "./context.ts";
import { invalidResultPath, nestedFilter } from "./diagnostics/kinds.ts";
import { filterError } from "./errors.ts";

/** An object with filter paths, possibly in `filter`. */
export interface FilterOwner extends Filter {
  readonly filter?: Filter;
}

/** Maps a value. */
export type Transform = (value: Expression) => Expression;

function ownerOf(owner: FilterOwner, key: keyof Filter): Filter | undefined {
  if (owner[key] !== undefined) return owner;
  return owner.filter?.[key] === undefined ? undefined : owner.filter;
}

/** Warns about paths in `filter`. */
export function warnOfFilterObject(context: Context, owner: FilterOwner): void {
  if (owner.filter) context.report(nestedFilter(spanOf(context, owner, "filter", "key"), {}));
}

/** The selection of the path in `owner[key]`; `SYS.FilterError` if a single value is missing. */
export function selectorAt(
  context: Context,
  owner: FilterOwner,
  key: "InputPath" | "OutputPath",
): Transform | undefined {
  const holder = ownerOf(owner, key);
  if (!holder) return undefined;
  const isAll = /^\s*\$\s*$/.test(holder[key]!);
  return isAll ? undefined : (value) => selectAt(context, holder, key, value);
}

/** Selects the path in `owner[key]`: one value or `SYS.FilterError`, or an array. */
export function selectAt(context: Context, owner: object, key: string, source: Expression): Expression {
  const path = pathAt(context, owner, key, source);
  if (!path) return source;
  if (!path.definite) return collect(path.query);
  const written = (owner as { readonly [key: string]: string })[key]!;
  const message = `\`${truncate(written)}\` selects nothing.`;
  return firstOr(path.query, call("error", literal({ name: filterError, message })));
}

/** The output filters of a result. */
export interface OutputFilter {
  readonly transform: Transform;
  /** With `SYS.FilterError`. */
  readonly mayFail: boolean;
}

/** Function Workflow 0.1, Filter Mechanism: applies the result path, then the output path, if any. */
export function outputOf(context: Context, owner: FilterOwner): OutputFilter | undefined {
  const names = resultPath(context, owner);
  const output = selectorAt(context, owner, "OutputPath");
  const placed = (into: readonly string[]): Transform | undefined =>
    into.length === 0 ? undefined : (value) => into.reduceRight((inner, name) => object([[name, inner]]), value);
  const chain = output && pathChain(context, owner, "OutputPath");
  const isAround = chain && chain.length <= names.length && chain.every((name, i) => name === names[i]);
  const transform = isAround ? placed(names.slice(chain.length)) : compose(placed(names), output);
  return transform && { transform, mayFail: output !== undefined && !isAround };
}

function pathChain(context: Context, owner: FilterOwner, key: keyof Filter): readonly string[] | undefined {
  const holder = ownerOf(owner, key);
  return holder && pathAt({ ...context, report: () => {} }, holder, key, data)?.chain;
}

function resultPath(context: Context, owner: FilterOwner): readonly string[] {
  const holder = ownerOf(owner, "ResultPath");
  const path = holder && pathAt(context, holder, "ResultPath", data, "place");
  if (!holder || !path) return [];
  if (!path.chain)
    context.report(invalidResultPath(spanOf(context, holder, "ResultPath"), { path: holder.ResultPath! }));
  return path.chain ?? [];
}

/** Composes two transforms. */
export function compose(first: Transform | undefined, second: Transform | undefined): Transform | undefined {
  return first && second ? (value) => second(first(value)) : (first ?? second);
}

/** Applies the state's input filter. */
export function inputFilter(writer: Writer): StepFragment {
  const { context, state } = writer;
  warnOfFilterObject(context, state);
  const select = selectorAt(context, state, "InputPath");
  return select ? assignData(writer, "input", select(data)) : noSteps;
}

/** Applies the state's output filters to its result. */
export function outputFilter(writer: Writer, value: Expression = data): StepFragment {
  const output = outputOf(writer.context, writer.state);
  if (!output && value === data) return noSteps;
  return assignData(writer, "output", output ? output.transform(value) : value);
}

const assignData = (writer: Writer, what: string, value: Expression): StepFragment =>
  assign(writer, what, writer.construct.span, { variable: "data", value });

/** An array of items. */
export const arrayOf = (items: readonly Expression[]): Expression =>
  items.length === 0 ? literal([]) : collect(items.length === 1 ? items[0] : comma(...items));
