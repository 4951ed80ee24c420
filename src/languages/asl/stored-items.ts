import {
  binary,
  call,
  conditional,
  type Expression,
  literal,
  member,
  object,
  variable,
} from "../../expressions/index.ts";
import type { MapState } from "../../generated/asl-definition.ts";
import type { Call } from "../../ir/workflow.ts";
import { isObject } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { complete, end, noSteps, type StepFragment, step } from "../shared/steps.ts";
import { freshVariable, type Writer } from "./context.ts";
import { checkReference, isJsonata, payloadOf, within } from "./data-flow.ts";
import { unsupportedField } from "./diagnostics/kinds.ts";
import { isProgram } from "./dialects.ts";
import { isOfService } from "./errors.ts";
import { failure } from "./failures.ts";
import { program } from "./intrinsic-functions.ts";
import { numberIn } from "./iteration-limits.ts";
import { jsonataAt } from "./jsonata-values.ts";
import { pathAt, valueAt } from "./templates.ts";

/** The error of items that cannot be read. */
const readerError = "States.ItemReaderFailed";

/** The error of results that cannot be written. */
const writerError = "States.ResultWriterFailed";

/**
 * The items of a distributed Map with an `ItemReader`, and the call that reads them: of a function with the name of the
 * state, which returns the array of all items.
 */
export function readItems(
  writer: Writer<MapState>,
  input: Expression,
): { readonly items: Expression; before(inner: Writer): StepFragment } {
  const { context, state, name } = writer;
  const reader = state.ItemReader!;
  const span = spanOf(context, state, "ItemReader", "key");
  context.functions.push({ name, resource: reader.Resource, span });
  const bind = freshVariable(writer, "items");
  const { MaxItems: _, MaxItemsPath: __, ...config } = reader.ReaderConfig ?? {};
  const argument = sentWith(
    writer,
    input,
    reader,
    Object.keys(config).length === 0 ? [] : [["ReaderConfig", literal(config)]],
  );
  const list = conditional(
    binary("==", call("type", variable(bind)), literal("array")),
    variable(bind),
    failure(readerError, "Attempting to map over non-iterable node."),
  );
  const most = mostItems(writer, input);
  return {
    items: most ? firstItems(list, most) : list,
    before: (inner) => serviceCall(inner, { name, argument, bind, error: readerError, span }),
  };
}

const firstItems = program("if $b > 0 then $a[0:$b | floor] else $a end");

/** The greatest number of items; undefined or zero for all. */
function mostItems(writer: Writer<MapState>, input: Expression): Expression | undefined {
  const config = writer.state.ItemReader?.ReaderConfig ?? {};
  const { MaxItems: stated } = config;
  if (typeof stated === "number") return literal(stated);
  const failed = failure(readerError, "The value of MaxItems is no number that is possible.");
  const isPossible = (value: Expression): Expression =>
    conditional(
      conditional(
        binary("==", call("type", value), literal("number")),
        binary(">=", value, literal(0)),
        literal(false),
      ),
      value,
      failed,
    );
  if (isProgram(stated)) {
    const given = jsonataAt({ writer }, { owner: config, key: "MaxItems" }, "ItemReader/ReaderConfig/MaxItems");
    return within("limit", given, isPossible);
  }
  const field = { owner: config, key: "MaxItemsPath" };
  const path = valueAt(field) === undefined ? undefined : pathAt({ writer, input }, field);
  if (!path || !checkReference(writer, field, path)) return undefined;
  return within("limit", path.value, (given) => within("number", numberIn(given), isPossible));
}

/**
 * The call that stores the results of a distributed Map with a `ResultWriter`: of a function with the name of the state
 * and ` ResultWriter` behind it, which takes them as `Results` and returns where they are.
 */
export function resultStore(
  writer: Writer<MapState>,
  input: Expression,
): (inner: Writer, bound: string) => StepFragment {
  const { context, state } = writer;
  const given = state.ResultWriter;
  if (!given) return () => noSteps;
  const span = spanOf(context, state, "ResultWriter", "key");
  if (given.Resource === undefined) {
    context.report(unsupportedField(span, { what: "`ResultWriter` without `Resource`" }));
    return () => noSteps;
  }
  const name = context.functionNames.fresh(`${writer.name} ResultWriter`);
  context.functions.push({ name, resource: given.Resource, span });
  const { WriterConfig: config } = given;
  return (inner, bind) => {
    const argument = sentWith(writer, input, given, [
      ...(config === undefined ? [] : [["WriterConfig", literal({ ...config })] as const]),
      ["Results", variable(bind)],
    ]);
    return serviceCall(inner, { name, argument, bind, error: writerError, span });
  };
}

/** What a reader or a writer sends: its parameters, and more members. */
function sentWith(
  writer: Writer<MapState>,
  input: Expression,
  owner: object,
  more: readonly (readonly [string, Expression])[],
): Expression {
  const key = isJsonata(writer) ? "Arguments" : "Parameters";
  const given = valueAt({ owner, key });
  const parameters = given === undefined ? literal({}) : payloadOf({ writer, input }, { owner, key: "Parameters" });
  if (more.length === 0) return parameters;
  if (parameters.kind === "object")
    return {
      ...parameters,
      entries: [...parameters.entries, ...more.map(([name, value]) => ({ key: literal(name), value }))],
    };
  if (parameters.kind !== "literal" || !isObject(parameters.value)) return binary("+", parameters, object(more));
  return object([...Object.entries(parameters.value).map(([name, value]) => [name, literal(value)] as const), ...more]);
}

/** A call whose failure has a fixed name. */
function serviceCall(
  inner: Writer,
  {
    name,
    argument,
    bind,
    error,
    span,
  }: {
    readonly name: string;
    readonly argument: Expression;
    readonly bind: string;
    readonly error: string;
    readonly span: Span;
  },
): StepFragment {
  const caught = freshVariable(inner, "error");
  return step(inner, "service", span, (base, next): Call => {
    const value = object([
      ["origin", literal("fail")],
      ["name", literal(error)],
      ["message", member(variable(caught), "message")],
    ]);
    const failed = complete(end(inner, "failed", span, { outcome: "fail", extent: "scope", value }), span);
    return {
      ...base,
      kind: "call",
      function: { name, span },
      argument,
      wait: true,
      retries: [],
      bind,
      handlers: [{ when: isOfService(), bind: caught, next: failed, span }],
      next,
    };
  });
}
