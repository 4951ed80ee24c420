import { type Expression, freeVariables } from "../../../src/expressions/index.ts";
import { type PrintedExpression, printedExpression } from "../../../src/expressions/js/index.ts";
import { createNames, type NameSpace } from "../../../src/ir/names.ts";
import { type JsExpression as Code, js, type ParameterDeclaration } from "../../../src/js-ast/index.ts";
import type { SelectionContext } from "./context.ts";
import { beginFunction, codeOf, type FunctionBuilder, finishFunction } from "./function-builder.ts";
import type { StateFunction } from "./state-builder.ts";

/** A function that the helper action contains. Requests and stored waits refer to it by its id. */
export interface DeployedFunction {
  readonly id: string;
  readonly body: StateFunction;
  readonly parameter: ParameterDeclaration;
}

/** The functions of a workflow that the helper action contains. */
export interface DeployedFunctions {
  readonly ids: NameSpace;
  readonly functions: DeployedFunction[];
}

/** Creates an empty table of functions. */
export const createDeployedFunctions = (): DeployedFunctions => ({ ids: createNames([]), functions: [] });

/**
 * Adds an expression to the functions of the helper action and returns its id. `bindings` names its values; the others
 * are variables.
 *
 *   order/Wait until paid/Paid (order): ({ event, order }) => event.data?.id === order.id
 *
 * The id depends on what the function is for and on the variables that it reads, not on how it is printed: runs that
 * wait during an upgrade find it afterwards.
 */
export function deployExpression(
  expression: Expression,
  purpose: readonly string[],
  bindings: ReadonlyMap<string, { readonly symbol: string; readonly type?: "string" }>,
  flow: SelectionContext,
  result: (fn: FunctionBuilder, value: PrintedExpression) => Code = (_, { code }) => code,
): string {
  const values = [...bindings].map(
    ([name, { symbol, type }]) => [name, printedExpression(js.name(symbol), { type })] as const,
  );
  const fn = beginFunction(flow, undefined, new Map(values));
  const code = result(fn, codeOf(fn, expression));
  const read = [...freeVariables(expression)];
  const symbols = read.flatMap((name) => bindings.get(name)?.symbol ?? flow.symbols.get(name) ?? []);
  const variables = read.flatMap((name) => (bindings.has(name) ? [] : (flow.symbols.get(name) ?? []))).sort();
  const { ids, functions } = flow.deployed;
  const place = [flow.workflow.id, ...purpose].join("/");
  const id = ids.fresh(variables.length === 0 ? place : `${place} (${variables.join(", ")})`);
  functions.push({ id, body: finishFunction(fn, code), parameter: js.parameter(js.membersPattern(symbols)) });
  return id;
}
