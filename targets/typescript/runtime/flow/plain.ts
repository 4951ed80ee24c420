import { WorkflowError } from "../errors.ts";
import { copyOf, type Json } from "../json.ts";

/** What a function has answered, as JSON of the workflow's own; nothing is null. What has no JSON fails with `DataError`. */
export function jsonOf(answer: unknown): Json {
  try {
    return copyOf(answer) ?? null;
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new WorkflowError("DataError", `The function's answer is not JSON: ${why}`, { origin: "function" });
  }
}

/** Functions that are given copies of their arguments: what they change in them is not the workflow's data. */
export const byCopy = (functions: object): object =>
  new Proxy(functions, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== "function") return found;
      return (argument: unknown, ...more: readonly unknown[]): unknown =>
        Reflect.apply(found, target, [copyOf(argument), ...more]);
    },
  });
