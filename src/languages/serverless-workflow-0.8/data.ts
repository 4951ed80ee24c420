import {
  and,
  binary,
  bind,
  call,
  conditional,
  type Expression,
  effectsOf,
  identity,
  literal,
  object,
  pipe,
  simplify,
  update,
  variable,
} from "../../expressions/index.ts";
import type { Action } from "../../generated/serverless-workflow-0.8-definition.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, type StepFragment } from "../shared/steps.ts";
import { type Context, data, type Writer } from "./context.ts";
import { invalidStatePath } from "./diagnostics/kinds.ts";
import { expressionAt, pathOf } from "./expressions.ts";

/** Where a value is merged into the data of a state. */
export interface MergePlace {
  /** Holds `toStateData`. */
  readonly filter?: { readonly toStateData?: string } | undefined;
  /** The member for a value other than an object. */
  readonly key: string;
}

/** Assigns a value to the data of the state. */
export const assignData = (writer: Writer, what: string, span: Span, value: Expression): StepFragment =>
  assign(writer, what, span, { variable: "data", value: simplify(value) });

/** The data that an action sees. */
export const actionData = (writer: Writer, { actionDataFilter: filter }: Action): Expression =>
  filter?.fromStateData === undefined
    ? data
    : expressionAt(writer.context, filter, "fromStateData", { locals: writer.locals });

/** How merged arrays are combined: the specification unites them, SonataFlow replaces them. */
const arrayMode = ({ dialect }: Context): Expression => literal(dialect === "spec" ? "union" : "replace");

/**
 * Serverless Workflow 0.8, Workflow Data Merging and Action Data Filters: merges a value at `toStateData`, otherwise
 * into the whole data. Null is merged only at a path; a value other than an object becomes a member.
 */
export function mergeValue(context: Context, value: Expression, place: MergePlace, target = data): Expression {
  const { filter } = place;
  const mode = arrayMode(context);
  if (filter?.toStateData !== undefined) {
    const path = pathOf(filter, "toStateData");
    if (!path) context.report(invalidStatePath(spanOf(context, filter, "toStateData"), { text: filter.toStateData }));
    else if (path.kind !== "identity")
      return bind("value", value, pipe(target, update(path, call("merge", identity, variable("value"), mode))));
  }
  return mergeWhole(context, value, place.key, target);
}

/** Merges constant data, an object. */
export const mergeObject = (context: Context, value: Expression, target = data): Expression =>
  context.mayReplaceData
    ? onObject(target, call("merge", target, value, arrayMode(context)))
    : call("merge", target, value, arrayMode(context));

function mergeWhole(context: Context, given: Expression, name: string, target: Expression): Expression {
  const mode = arrayMode(context);
  const simplified = simplify(given);
  const known = effectsOf(simplified).type;
  const value = known === "object" || simplified.kind === "variable" ? simplified : variable("value");
  const is = (each: Expression, type: string) => binary("==", call("type", each), literal(type));
  const wrapped = object([[context.dialect === "spec" ? name : "response", value]]);
  const part =
    known === "object"
      ? value
      : conditional(is(value, "object"), value, conditional(is(value, "null"), literal({}), wrapped));
  const merged = call("merge", target, part, mode);
  if (!context.mayReplaceData) return bindTo(value, simplified, merged);
  const bothArrays = and(is(value, "array"), is(target, "array"));
  const other = conditional(is(value, "null"), target, onObject(target, merged));
  const checked =
    known === "object" ? onObject(target, merged) : conditional(bothArrays, call("merge", target, value, mode), other);
  return bindTo(value, simplified, checked);
}

const bindTo = (value: Expression, given: Expression, body: Expression): Expression =>
  value === given ? body : bind("value", given, body);

const onObject = (target: Expression, value: Expression): Expression =>
  conditional(
    binary("==", call("type", target), literal("object")),
    value,
    call("error", literal({ name: "DataMergeError", message: "The data of the state is not an object." })),
  );
