import { js, sameCode, type Type, type TypeDeclaration } from "../../../src/code/index.ts";

const module = "./runtime/json.ts";

/** The type of any JSON. */
export const json: Type = js.importedType("Json", module);

/** The type of any object of JSON. */
export const jsonObject: Type = js.importedType("JsonObject", module);

/** An exported type: `export type Name = type`. */
export const exportedType = (name: string, doc: string, type: Type): TypeDeclaration => ({
  kind: "typeDeclaration",
  name,
  doc,
  exported: true,
  typeParameters: [],
  type,
});

/** `{ readonly [name: string]: type }` */
export const mapType = (of: Type): Type => js.objectType([js.indexSignature("name", of)]);

/** A type of several: `a | b`, `a & b`. `Json` takes in all others, and all are in it. */
export function joined(types: readonly Type[], operator: "|" | "&"): Type {
  const flat = types.flatMap((type) => (type.kind === "unionType" && type.operator === operator ? type.types : [type]));
  const distinct = flat.filter((type, i) => flat.findIndex((other) => sameCode(other, type)) === i);
  if (operator === "|" && distinct.includes(json)) return json;
  const parts = operator === "&" ? distinct.filter((type) => type !== json) : distinct;
  return parts.length < 2 ? (parts[0] ?? json) : { kind: "unionType", operator, types: parts };
}
