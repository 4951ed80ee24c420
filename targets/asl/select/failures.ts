import {
  call,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  simplify,
  variable,
} from "../../../src/expressions/index.ts";
import { innerScopes } from "../../../src/ir/walk.ts";
import type { Step } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import type { ErrorSources } from "../error-expression.ts";
import { jsonataString, limit } from "../jsonata/index.ts";
import type { State } from "../machine.ts";
import { keptError, keptUnder } from "./caught.ts";
import type { MachineContext, ScopeContext } from "./context.ts";
import { type RaisedNames, raisedBy } from "./error-names.ts";
import { field, text } from "./fields.ts";
import { resolve, type Symbols } from "./symbols.ts";

/** A step that ends its scope with an error, as errors travel: `Error` is its name; `Cause` its message, or what a Lambda function's would be. */
export function failState(
  context: ScopeContext,
  key: string,
  step: Extract<FlatStep, { kind: "end" }>,
  symbols: Symbols,
): State {
  const value = resolve(step.value, symbols);
  const known = keptUnder(value);
  const error =
    value.kind === "variable" && [...context.names.values()].includes(value.name) ? keptError(value.name) : value;
  const ours = raisedBy(value, context.machine.raised);
  if (known !== undefined && !ours) return asItCame(context, key, step, known);
  const name = ours ? literal(ours.name) : simplify(firstOr(member(error, "name"), literal("Error")));
  const message = simplify(firstOr(member(error, "message"), literal("")));
  const data = () => (isBare(error) ? undefined : simplify(member(error, "data")));
  const cause = ours
    ? carrying(simplify(firstOr(ours.data, literal(null))), context)
    : message.kind === "literal"
      ? field(message, context)
      : detailed(name, message, data(), context);
  return {
    key,
    type: "Fail",
    step: step.id,
    fields: [
      ["Error", field(name, context)],
      ["Cause", cause],
    ],
  };
}

/** Whether an error is written out, and without data. */
const isBare = (error: Expression): boolean =>
  error.kind === "object" && error.entries.every(({ key }) => key.kind === "literal" && key.value !== "data");

/** An error that a variable holds, raised as it came. */
const asItCame = (context: ScopeContext, key: string, { id }: FlatStep, known: string): State => ({
  key,
  type: "Fail",
  step: id,
  fields: [
    ["Error", field(variable(`${known}.name`), context)],
    ["Cause", field(variable(`${known}.cause`), context)],
  ],
});

/** The longest Cause that Step Functions takes. */
const longestCause = 32_768;

/** The Cause of an error of ours: JSON with the value that it carries. A longer one than there may be fails the run. */
function carrying(value: Expression, context: ScopeContext): Json {
  const cause = text(call("text", object([["value", value]])), context);
  const tooLong = limit(
    `What ends the branches beside it has more than ${longestCause.toLocaleString("en-US")} characters.`,
  );
  return jsonataString(`($cause := ${cause}; $length($cause) <= ${longestCause} ? $cause : ${tooLong})`);
}

/** The Cause of an error that came from elsewhere: JSON with its message and, where it has one, its trace. */
function detailed(name: Expression, message: Expression, data: Expression | undefined, context: ScopeContext): Json {
  const printed = (expression: Expression): string => text(expression, context);
  const trace = data?.kind === "variable" ? `${printed(data)}.trace` : data && printed(member(data, "trace"));
  const traced = trace === undefined ? "" : `, "stackTrace": ${trace}`;
  return jsonataString(`$string({"errorMessage": ${printed(message)}, "errorType": ${printed(name)}${traced}})`);
}

/** Errors of expressions come from a subflow, or from where an expression says that it fails. */
export const withExpressions = (sources: ErrorSources, state: State): ErrorSources => ({
  ...sources,
  expression: sources.subflow || raises(state),
});

/** Whether an expression of a state, or of one in it, may fail on purpose. */
const raises = (state: State): boolean => {
  const { fields, choices = [], catch: caught = [], exit, branches = [], processor } = state;
  const written = [fields, [...choices, ...caught].map(({ when, output, assign }) => [when, output, assign]), exit];
  const inside = [...branches, ...(processor ? [processor] : [])].flatMap(({ states }) => states);
  return (JSON.stringify(written) ?? "").includes("$error(") || inside.some(raises);
};

/** Which errors can reach the Catch of a state: its own, and those of all that is in it. */
export function sourcesOf(step: Step, machine: Pick<MachineContext, "raised" | "within">): ErrorSources {
  const within = machine.within(step);
  return { ...ownSources(step, machine.raised), ...(within !== "mixed" && within && { within }) };
}

function ownSources(step: Step, raised: RaisedNames): ErrorSources {
  const scopes = innerScopes(step);
  const inside = scopes.flatMap(({ steps }) => steps.map((each) => ownSources(each, raised)));
  const some = (kind: "timeout" | "subflow"): boolean => inside.some((sources) => sources[kind] === true);
  const ours = step.kind === "end" && step.outcome === "fail" ? raisedBy(step.value, raised) : undefined;
  const subflow = some("subflow") || (step.kind === "invoke" && step.wait);
  return {
    timeout: some("timeout") || subflow || ("timeout" in step && step.timeout !== undefined),
    expression: true,
    function: step.kind === "call" || scopes.length > 0,
    subflow,
    carried: [...new Set([...(ours ? [ours.name] : []), ...inside.flatMap(({ carried }) => carried ?? [])])],
  };
}
