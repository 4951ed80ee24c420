import type { TypeNode } from "../../../src/js-ast/index.ts";
import { js } from "../../../src/js-ast/index.ts";
import type { OpenUse } from "../../../src/readable/use.ts";
import { jsonType } from "./runtime.ts";

/** The type of a value, by what is looked at in it; `Json` where that is nothing: `{ readonly id?: Json; readonly [member: string]: Json | undefined }`. */
export function typeByUse(use: OpenUse, level = 1): TypeNode {
  if (use.members.size === 0) return jsonType;
  if (use.isCompared || level > mostLevels) return js.keyword("any");
  return looseObject(Array.from(use.members, ([name, member]) => [name, typeByUse(member, level + 1)]));
}

/** Types that are nested more deeply say nothing to a reader, and more than libraries can follow. */
const mostLevels = 32;

/** An object with members that there may be, and any others. */
export const looseObject = (members: readonly (readonly [name: string, type: TypeNode])[]): TypeNode =>
  js.objectType([
    ...members.map(([name, type]) => js.propertySignature(name, type, { optional: true })),
    js.indexSignature("member", jsonOrNothing),
  ]);

/** `Json | undefined` */
export const jsonOrNothing: TypeNode = js.union([jsonType, js.keyword("undefined")]);
