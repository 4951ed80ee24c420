import { type Use, unusedValue } from "../../../src/expressions/js/index.ts";
import { alternatives, isNever, type Type } from "../../../src/types/index.ts";

/** The members that a value of a proven type has, for expressions that read them. */
export function useOfType(type: Type, depth = 0): Use {
  const [only, ...others] = alternatives(type);
  if (!only || others.length > 0 || depth > maxDepth) return unusedValue();
  if (only.kind === "array") return { kind: "closed", members: {}, element: useOfType(only.items, depth + 1) };
  if (only.kind !== "object" || only.members.size === 0) return unusedValue();
  const members = Array.from(only.members, ([name, { type: of, required }]) => {
    const isNullable = alternatives(of).some(({ kind }) => kind === "null");
    return [name, { use: useOfType(of, depth + 1), isOptional: !required, isNullable }] as const;
  });
  return { kind: "closed", members: Object.fromEntries(members), hasOthers: !isNever(only.rest) };
}

/** Types may contain themselves. */
const maxDepth = 6;
