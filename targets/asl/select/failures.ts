import {
  call,
  canFail,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  outputs,
  simplify,
  variable,
} from "../../../src/expressions/index.ts";
import type { StandardErrors } from "../../../src/ir/problems.ts";
import { innerScopes } from "../../../src/ir/walk.ts";
import type { Step } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { groupDigits } from "../../../src/text/messages.ts";
import { type ErrorSources, errorFields } from "../error-expression.ts";
import { failureLimits } from "../errors.ts";
import { limitError } from "../jsonata/errors.ts";
import { jsonataString } from "../jsonata/print.ts";
import { nativeMachine } from "../keep/machine.ts";
import { type MachineState, mayRaise } from "../machine.ts";
import { carryingError, type OwnErrors } from "../own-errors.ts";
import { storedError, storedUnder } from "./caught-errors.ts";
import type { MachineContext, ScopeContext } from "./context.ts";
import { field, text } from "./fields.ts";
import { resolve, type SymbolTable } from "./symbols.ts";

/** A Fail state. `Cause` is the error's message, or JSON like that of a Lambda function. */
export function failState(
  context: ScopeContext,
  key: string,
  step: Extract<FlatStep, { kind: "end" }>,
  symbols: SymbolTable,
): MachineState {
  const value = resolve(step.value, symbols);
  const stored = storedUnder(value);
  const error =
    value.kind === "variable" && [...context.names.values()].includes(value.name) ? storedError(value.name) : value;
  const own = carryingError(value, context.machine.ownErrors);
  if (stored !== undefined && !own) return rethrowState(context, key, step, stored);
  const apart = partsOf(error, context);
  const part = (each: string): Expression => apart?.get(each) ?? member(error, each);
  const name = own ? literal(own.name) : simplify(firstOr(part("name"), literal("Error")));
  const message = simplify(firstOr(part("message"), literal("")));
  const data = () => (hasNoData(error) ? undefined : simplify(part("data")));
  const cause = own
    ? carryingCause(simplify(firstOr(own.data, literal(null))), context)
    : nativeMachine(context.machine.workflow) ||
        (message.kind === "literal" && !(context.machine.workflow.detailedErrors && data()))
      ? field(message, context)
      : detailedCause(name, message, data(), context);
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

/**
 * The parts of a constructed error that are all evaluated by its state, whose fields have no order: one of them may fail,
 * and the others need not wait for it.
 */
function partsOf(error: Expression, { machine }: ScopeContext): ReadonlyMap<string, Expression> | undefined {
  if (error.kind !== "object" || !machine.workflow.detailedErrors) return undefined;
  const parts = new Map(error.entries.map(({ key, value }) => [key.kind === "literal" ? key.value : undefined, value]));
  const { origin = literal(""), ...others } = Object.fromEntries(
    errorFields.map((name) => [name, parts.get(name)] as const),
  );
  const given = Object.values(others).filter((each) => each !== undefined);
  const isComplete = [...parts.keys()].every((key) => errorFields.some((name) => name === key));
  const isSure = !canFail(origin) && given.filter(canFail).length < 2;
  return isComplete && isSure && given.every((each) => outputs(each) === "one")
    ? (parts as ReadonlyMap<string, Expression>)
    : undefined;
}

const hasNoData = (error: Expression): boolean =>
  error.kind === "object" && error.entries.every(({ key }) => key.kind === "literal" && key.value !== "data");

const rethrowState = (context: ScopeContext, key: string, { id }: FlatStep, stored: string): MachineState => ({
  key,
  type: "Fail",
  step: id,
  fields: [
    ["Error", field(variable(`${stored}.name`), context)],
    ["Cause", field(variable(`${stored}.cause`), context)],
  ],
});

const { message: maxCauseLength } = failureLimits;

/** JSON with the error's value. If it would be too long, the run fails. */
function carryingCause(value: Expression, context: ScopeContext): Json {
  const cause = text(call("text", object([["value", value]])), context);
  const tooLong = limitError(
    `What ends the branches beside it has more than ${groupDigits(maxCauseLength)} characters.`,
  );
  return jsonataString(`($cause := ${cause}; $length($cause) <= ${maxCauseLength} ? $cause : ${tooLong})`);
}

/** JSON with the error's message and trace, or with all of its data. */
function detailedCause(
  name: Expression,
  message: Expression,
  data: Expression | undefined,
  context: ScopeContext,
): Json {
  const printed = (expression: Expression): string => text(expression, context);
  if (data && context.machine.workflow.detailedErrors)
    return jsonataString(
      `$string({"errorMessage": ${printed(message)}, "errorType": ${printed(name)}, "data": ${printed(simplify(firstOr(data, literal(null))))}})`,
    );
  const trace = data?.kind === "variable" ? `${printed(data)}.trace` : data && printed(member(data, "trace"));
  const traced = trace === undefined ? "" : `, "stackTrace": ${trace}`;
  return jsonataString(`$string({"errorMessage": ${printed(message)}, "errorType": ${printed(name)}${traced}})`);
}

/** Errors of expressions come from a subflow, or from an expression of the state that raises one. */
export const withExpressionErrors = (sources: ErrorSources, state: MachineState): ErrorSources => ({
  ...sources,
  expression: sources.subflow || mayRaise(state),
});

/** The sources of errors that reach a state's Catch. */
export function errorSources(
  step: Step,
  machine: Pick<MachineContext, "ownErrors" | "subflowErrorNames" | "workflow">,
): ErrorSources {
  const within = machine.subflowErrorNames(step);
  return {
    ...sourcesWithin(step, machine.ownErrors),
    ...(within !== "mixed" && within && { subflowNames: within }),
    ...(machine.workflow.detailedErrors && { isDetailed: true }),
    isPlain: nativeMachine(machine.workflow) !== undefined,
    standard: machine.workflow.standardErrors as unknown as StandardErrors | undefined,
    derives: machine.workflow.problems !== undefined,
  };
}

function sourcesWithin(step: Step, raised: OwnErrors): ErrorSources {
  const scopes = innerScopes(step);
  const inside = scopes.flatMap(({ steps }) => steps.map((each) => sourcesWithin(each, raised)));
  const callback = step.kind === "call" ? step.callback : undefined;
  const some = (kind: "timeout" | "heartbeat" | "isUnnamed" | "subflow"): boolean =>
    inside.some((sources) => sources[kind] === true);
  const own = step.kind === "end" && step.outcome === "fail" ? carryingError(step.value, raised) : undefined;
  const subflow = some("subflow") || (step.kind === "invoke" && step.wait);
  const heartbeat = some("heartbeat") || callback?.heartbeat !== undefined;
  return {
    timeout: some("timeout") || subflow || ("timeout" in step && step.timeout !== undefined) || heartbeat,
    heartbeat,
    isUnnamed: some("isUnnamed") || callback !== undefined,
    expression: true,
    function: step.kind === "call" || scopes.length > 0,
    subflow,
    carryingErrors: [
      ...new Set([...(own ? [own.name] : []), ...inside.flatMap(({ carryingErrors }) => carryingErrors ?? [])]),
    ],
  };
}
