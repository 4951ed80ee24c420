import { call, collect, comma, type Expression, firstOr, literal, object } from "../../expressions/index.ts";
import type { Filter } from "../../generated/function-workflow-definition.ts";
import { truncate } from "../../text/clip.ts";
import { assign, end, type Fragment, noSteps, pathAt, spanOf } from "../shared/index.ts";
import { type Context, data, type Writer } from "./context.ts";
import { invalidResultPath, missingNext, nestedFilter } from "./diagnostics/kinds.ts";
import { filterError } from "./errors.ts";
import { stateReference } from "./plan.ts";

/** What has paths: by itself, or in a `filter`. */
export interface FilterOwner extends Filter {
  readonly filter?: Filter;
}

/** Something that is made of a value. */
export type Transform = (value: Expression) => Expression;

/** Where a path stands: in its owner, or in the owner's `filter`. */
function ownerOf(owner: FilterOwner, key: keyof Filter): Filter | undefined {
  if (owner[key] !== undefined) return owner;
  return owner.filter?.[key] === undefined ? undefined : owner.filter;
}

/** Says that the paths of a `filter` stand in its owner. */
export function warnOfFilterObject(context: Context, owner: FilterOwner): void {
  if (owner.filter) context.report(nestedFilter(spanOf(context, owner, "filter", "key"), {}));
}

/** What the path in `owner[key]` selects; the error `SYS.FilterError` where it is one value, and missing. Undefined where all is selected. */
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

/** What the path in `owner[key]` selects in a value: one value, which is the error `SYS.FilterError` where it is missing, or the list of all. */
export function selectAt(context: Context, owner: object, key: string, source: Expression): Expression {
  const path = pathAt(context, owner, key, source);
  if (!path) return source;
  if (!path.definite) return collect(path.query);
  const written = (owner as { readonly [key: string]: string })[key]!;
  const message = `\`${truncate(written)}\` selects nothing.`;
  return firstOr(path.query, call("error", literal({ name: filterError, message })));
}

/** What becomes of a result on its way out. */
export interface OutputFilter {
  readonly transform: Transform;
  /** Whether its path may select nothing, which is the error `SYS.FilterError`. */
  readonly mayFail: boolean;
}

/** The paths that a result goes through: put into a new object by the first, then selected by the second. Undefined where it stays as it is. */
export function outputOf(context: Context, owner: FilterOwner): OutputFilter | undefined {
  const names = resultPath(context, owner);
  const output = selectorAt(context, owner, "OutputPath");
  const placed = (into: readonly string[]): Transform | undefined =>
    into.length === 0 ? undefined : (value) => into.reduceRight((inner, name) => object([[name, inner]]), value);
  const chain = output && pathChain(context, owner, "OutputPath");
  const isAround = chain && chain.length <= names.length && chain.every((name, i) => name === names[i]);
  const change = isAround ? placed(names.slice(chain.length)) : compose(placed(names), output);
  return change && { transform: change, mayFail: output !== undefined && !isAround };
}

/** The names of a path that is a chain of them. */
function pathChain(context: Context, owner: FilterOwner, key: keyof Filter): readonly string[] | undefined {
  const holder = ownerOf(owner, key);
  return holder && pathAt({ ...context, report: () => {} }, holder, key, data)?.chain;
}

/** The names of the result path. */
function resultPath(context: Context, owner: FilterOwner): readonly string[] {
  const holder = ownerOf(owner, "ResultPath");
  const path = holder && pathAt(context, holder, "ResultPath", data, "place");
  if (!holder || !path) return [];
  if (!path.chain)
    context.report(invalidResultPath(spanOf(context, holder, "ResultPath"), { path: holder.ResultPath! }));
  return path.chain ?? [];
}

/** One change after the other. */
export function compose(first: Transform | undefined, second: Transform | undefined): Transform | undefined {
  return first && second ? (value) => second(first(value)) : (first ?? second);
}

/** The filter through which a state gets its data. */
export function inputFilter(writer: Writer): Fragment {
  const { context, state } = writer;
  warnOfFilterObject(context, state);
  const select = selectorAt(context, state, "InputPath");
  return select ? assignData(writer, "input", select(data)) : noSteps;
}

/** What a state has come to goes through its result and output paths. */
export function outputFilter(writer: Writer, value: Expression = data): Fragment {
  const output = outputOf(writer.context, writer.state);
  if (!output && value === data) return noSteps;
  return assignData(writer, "output", output ? output.transform(value) : value);
}

const assignData = (writer: Writer, what: string, value: Expression): Fragment =>
  assign(writer, what, writer.construct.span, { variable: "data", value });

/** Marks a state of which nothing could be read but that it is there. */
export const unreadableMark = "x-unread";

/** Goes on to the state that `owner[key]` names; where it names none, a branch ends. */
export function leave(writer: Writer, owner: object, key = "next-state"): Fragment {
  const { context, plan, name, construct } = writer;
  if (Object.hasOwn(owner, key)) {
    const target = stateReference(context, plan, owner, key);
    if (target) return () => target;
  } else if (!plan.isBranch && !Object.hasOwn(owner, unreadableMark)) {
    const span = owner === writer.state ? construct.span : spanOf(context, owner);
    context.report(missingNext(span, { state: name }));
  }
  return end(writer, "end", construct.span, { outcome: "leave", extent: "scope", value: data });
}

/** The list of some values. */
export const arrayOf = (items: readonly Expression[]): Expression =>
  items.length === 0 ? literal([]) : collect(items.length === 1 ? items[0] : comma(...items));
