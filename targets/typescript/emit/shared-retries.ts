import {
  allNames,
  type Block,
  freeNames,
  type JsNode,
  js,
  mapNodes,
  type JsExpression as Tree,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { runtimeType } from "./runtime-imports.ts";

/** Code, and the constants that it refers to. */
interface SharedCode {
  readonly constants: Block;
  readonly code: Block;
}

/**
 * Makes a constant of retries that several steps have in common: `const retries: readonly Retry[] = [{ when: … }];`.
 * Those without a condition are short and stay. `fresh` gives a name that is free in the module; inner scopes may have it.
 */
export function shareRetries(code: Block, fresh: (wanted: string) => string): SharedCode {
  const places = Map.groupBy(
    [...walkNodes(code)].flatMap((node) => retriesIn(node) ?? []),
    (value) => JSON.stringify(value),
  );
  const common = [...places].flatMap(([key, [first, second]]) => (second ? [{ key, value: first! }] : []));
  if (common.length === 0) return { constants: [], code };
  const taken = allNames(code);
  const names = new Map<string, string>();
  for (const { key } of common) {
    let name = fresh("retries");
    while (taken.has(name)) name = fresh("retries");
    names.set(key, name);
  }
  const type = js.arrayType(runtimeType("Retry"));
  return {
    constants: common.map(({ key, value }) => js.constant(names.get(key)!, value, { type })),
    code: mapNodes(code, (node) => {
      const value = retriesIn(node);
      const name = value && names.get(JSON.stringify(value));
      return name === undefined ? node : js.property("retries", js.name(name));
    }),
  };
}

/** The retries of a step, if they have a condition and refer to nothing around it. */
function retriesIn(node: JsNode): Tree | undefined {
  if (node.kind !== "property" || node.key !== "retries" || node.value.kind !== "array") return undefined;
  const within = [...walkNodes([node.value])];
  const hasCondition = within.some(({ kind }) => kind === "function");
  return hasCondition && freeNames([node.value]).size === 0 ? node.value : undefined;
}
