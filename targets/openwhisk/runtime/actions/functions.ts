import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";

/** The id of a function that the deployed action contains. */
export type FunctionId = string;

/** A function of one object, such as `({ event, order }) => event.data.id === order.id`. */
export type DeployedFunction = (argument: JsonObject) => unknown;

/** The functions that the deployed action contains: conditions and correlation values of events, and arguments of calls. */
export interface DeployedFunctions {
  readonly [id: FunctionId]: DeployedFunction;
}

/** Finds a function. Documents of forms 1 and 2 contain its source text instead of its id. */
export const findFunction = (functions: DeployedFunctions, id: FunctionId): DeployedFunction | undefined =>
  own(functions, id) ?? Object.values(functions).find((each) => String(each) === id);

/** Finds a function of this deployment. Throws if a conductor of another one requests it. */
export function functionOf(functions: DeployedFunctions, id: FunctionId): DeployedFunction {
  const found = findFunction(functions, id);
  if (!found) throw new Error(`This deployment has no function ${JSON.stringify(id)}. Deploy all actions together.`);
  return found;
}

/** The error of a function as an error of the composition's expressions. */
export function errorOf(thrown: unknown): JsonObject {
  const { value, message = String(thrown) } = (isObject(thrown) ? thrown : {}) as { value?: Json; message?: Json };
  const name = isObject(value) ? own(value, "name") : undefined;
  return {
    $waybill: "expression",
    name: typeof name === "string" ? name : "ExpressionError",
    message: String(message),
  };
}
