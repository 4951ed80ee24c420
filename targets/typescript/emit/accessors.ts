import { type Block, freeNames, type Identifier, js } from "../../../src/js-ast/index.ts";
import { type NameSpace, pascalCase } from "./names.ts";
import { helper, isHelperAlias, jsonType, runtimeType } from "./runtime-imports.ts";

/** The functions of a module that each read one member. Engines learn where to find it, so they are faster than `get`. */
export interface Accessors {
  /** The function that reads the member of a name, which no array or string has. */
  accessor(key: string): Identifier;
  /** Those that code uses: `const getPrice = (value: Json): Json => (value as JsonObject | null)?.price ?? absent(value, "price");` */
  declarations(used: Block): Block;
}

/** Creates the accessors of a module with these names. */
export function createAccessors(names: NameSpace): Accessors {
  const byKey = new Map<string, Identifier>();
  return {
    accessor(key) {
      const known = byKey.get(key) ?? js.name(freshName(key, names));
      byKey.set(key, known);
      return known;
    },
    declarations(used) {
      const free = freeNames(used);
      return [...byKey].flatMap(([key, { name }]) => (free.has(name) ? js.constant(name, readMember(key)) : []));
    },
  };
}

function freshName(key: string, names: NameSpace): string {
  const name = names.fresh(`get${pascalCase(key)}`);
  return isHelperAlias(name) ? freshName(key, names) : name;
}

function readMember(key: string) {
  const value = js.name("value");
  const object = js.as(value, js.union([runtimeType("JsonObject"), js.keyword("null")]));
  const member = js.binary(js.optionalMember(object, key), "??", js.call(helper("absent"), [value, js.literal(key)]));
  return js.arrow([js.parameter("value", jsonType)], member, { returns: jsonType });
}
