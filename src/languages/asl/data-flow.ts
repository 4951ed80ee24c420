import {
  binary,
  bind,
  call,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  type Segment,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { Assign } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { inputName, type Writer } from "./context.ts";
import { notReference } from "./diagnostics/kinds.ts";
import { usesJsonata } from "./dialects.ts";
import { failure, placementError } from "./failures.ts";
import { jsonataAssignments, jsonataAt } from "./jsonata-values.ts";
import type { PathRoots } from "./paths.ts";
import type { ProgramRoots } from "./programs.ts";
import { assignmentsAt, type Field, pathAt, templateAt, valueAt } from "./templates.ts";

/** The input of a state before anything is selected. */
export const rawInput: Expression = variable(inputName);

/** `InputPath` over the raw input. */
export const effectiveInput = (writer: Writer): Expression =>
  isJsonata(writer) ? rawInput : selectedBy(writer, "InputPath", rawInput);

/** `OutputPath` over what `ResultPath` gave. */
export const outputOf = (writer: Writer, value: Expression): Expression =>
  isJsonata(writer) ? value : selectedBy(writer, "OutputPath", value);

/** The output of a state without a result: of the state itself, or of a rule of a Choice. */
export const outputWithoutResult = (writer: Writer, owner: object, input: Expression): Expression =>
  isJsonata(writer) ? placed(writer, owner, input) : outputOf(writer, input);

/** Whether a state is in JSONata. */
export const isJsonata = ({ context, state }: Writer): boolean => usesJsonata(context, state);

/** What `Output` and `Assign` of a state, a rule or a catcher read: their result, or the error. */
function rootsOf(writer: Writer, owner: object, result: Expression): ProgramRoots {
  if ("ErrorEquals" in owner) return { writer, errorOutput: result };
  return ["Task", "Parallel", "Map"].includes(writer.state.Type) ? { writer, result } : { writer };
}

function selectedBy(writer: Writer, key: "InputPath" | "OutputPath", value: Expression): Expression {
  const field = { owner: writer.state, key };
  const text = valueAt(field);
  if (text === undefined) return value;
  if (text === null) return literal({});
  if (text === "$") return value;
  return within("selected", value, (input) => pathAt({ writer, input }, field)?.value ?? literal(null));
}

/** Evaluates a value once, unless that costs nothing. */
export function within(name: string, value: Expression, build: (value: Expression) => Expression): Expression {
  const isSimple = value.kind === "variable" || value.kind === "literal";
  return simplify(isSimple ? build(value) : bind(`${name} value`, value, build(variable(`${name} value`))));
}

/** The payload of a template in a field, or its input. */
export function payloadOf(roots: PathRoots, { owner, key }: Field): Expression {
  const { writer } = roots;
  const field = { owner, key: isJsonata(writer) && key === "Parameters" ? "Arguments" : key };
  if (valueAt(field) === undefined) return roots.input;
  if (isJsonata(writer)) return jsonataAt({ writer, token: roots.token }, field);
  return within("input", roots.input, (input) => templateAt({ ...roots, input }, field));
}

/** Whether `ResultPath` may fail. */
export const mayMisplace = (owner: object): boolean => {
  const path = valueAt({ owner, key: "ResultPath" });
  return typeof path === "string" && path !== "$";
};

/** Places a result into the raw input by the `ResultPath` of a state or a catcher; in JSONata, its `Output`. */
export function placed(writer: Writer, owner: object, result: Expression): Expression {
  if (isJsonata(writer)) {
    const output = { owner, key: "Output" };
    return valueAt(output) === undefined ? result : jsonataAt(rootsOf(writer, owner, result), output);
  }
  const field = { owner, key: "ResultPath" };
  const text = valueAt(field);
  if (text === undefined || text === "$") return result;
  if (text === null) return rawInput;
  const path = pathAt({ writer, input: rawInput }, field);
  if (!path) return result;
  const span = spanOf(writer.context, owner, "ResultPath");
  if (path.root !== "input") {
    writer.context.report(notReference(span, { field: "ResultPath", reason: "it does not begin at the input" }));
    return result;
  }
  if (!checkReference(writer, field, path)) return result;
  return simplify(within("result", result, (value) => placeAt(rawInput, path.segments, value, String(text))));
}

/** Reports a path that may find several values. */
export function checkReference(
  { context }: Writer,
  { owner, key }: Field,
  { segments }: { readonly segments: readonly Segment[] },
): boolean {
  const isReference = segments.every(
    ({ descend, selectors }) => !descend && selectors.length === 1 && isStep(selectors[0]!),
  );
  if (!isReference)
    context.report(notReference(spanOf(context, owner, key), { field: key, reason: "it may find several values" }));
  return isReference;
}

const isStep = ({ kind }: Segment["selectors"][number]): boolean => kind === "name" || kind === "index";

function placeAt(target: Expression, segments: readonly Segment[], value: Expression, path: string): Expression {
  const [first, ...rest] = segments;
  const selector = first?.selectors[0];
  if (!selector) return value;
  const message = `The result cannot be placed at ${path}.`;
  const refused = failure(placementError, message);
  const isA = (whole: Expression, type: string): Expression => binary("==", call("type", whole), literal(type));
  const name = `place ${segments.length}`;
  const whole = target.kind === "variable" ? target : variable(name);
  const bound = (body: Expression): Expression => (whole === target ? body : bind(name, target, body));
  if (selector.kind === "name") {
    const before = firstOr(member(whole, selector.name), literal({}));
    const inner = placeAt(before, rest, value, path);
    return bound(conditional(isA(whole, "object"), binary("+", whole, object([[selector.name, inner]])), refused));
  }
  if (selector.kind !== "index") return refused;
  const isThere = binary(
    "<",
    literal(selector.index < 0 ? -1 - selector.index : selector.index),
    call("length", whole),
  );
  const before = firstOr(call("getpath", whole, literal([selector.index])), literal(null));
  const changed = call("setpath", whole, literal([selector.index]), placeAt(before, rest, value, path));
  return bound(conditional(isA(whole, "array"), conditional(isThere, changed, refused), refused));
}

/** What `Assign` assigns. */
export const variablesAssigned = (roots: PathRoots, owner: object): Assign["values"] =>
  (isJsonata(roots.writer)
    ? jsonataAssignments(rootsOf(roots.writer, owner, roots.input), owner)
    : assignmentsAt(roots, owner)
  ).map(([name, value]) => {
    const { name: to, isBoxed } = roots.writer.scope.assigned.get(name) ?? { name, isBoxed: false };
    return { variable: to, value: simplify(isBoxed ? { kind: "array", items: value } : value) };
  });
