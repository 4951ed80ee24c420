import { type Block, freeNames, type Identifier, type JsExpression, js } from "../../../src/js-ast/index.ts";
import { type NameSpace, pascalCase } from "./names.ts";
import { helper, isHelperAlias, jsonType, optionalJson, runtimeType } from "./runtime-imports.ts";

/** The functions of a module that each read one member. Engines learn where to find it, so they are faster than `get`. */
export interface Accessors {
  /** The function that reads the member of a name, which no array or string has; `isTotal`: undefined where that fails. */
  accessor(key: string, isTotal?: boolean): Identifier;
  /** Those that code uses: `const getPrice = (value: Json): Json => mayHaveMembers(value) && value.price !== undefined ? …` */
  declarations(used: Block): Block;
}

/** Creates the accessors of a module with these names. */
export function createAccessors(names: NameSpace): Accessors {
  const byKey = new Map<string, Identifier>();
  const totalByKey = new Map<string, Identifier>();
  return {
    accessor(key, isTotal = false) {
      const all = isTotal ? totalByKey : byKey;
      const known = all.get(key) ?? js.name(freshName(isTotal ? "find" : "get", key, names));
      all.set(key, known);
      return known;
    },
    declarations(used) {
      const free = freeNames(used);
      const declared = (all: ReadonlyMap<string, Identifier>, value: (key: string) => JsExpression): Block =>
        [...all].flatMap(([key, { name }]) => (free.has(name) ? js.constant(name, value(key)) : []));
      return [...declared(byKey, readMember), ...declared(totalByKey, findMember)];
    },
  };
}

function freshName(verb: string, key: string, names: NameSpace): string {
  const name = names.fresh(`${verb}${pascalCase(key)}`);
  return isHelperAlias(name) ? freshName(verb, key, names) : name;
}

function findMember(key: string): JsExpression {
  const object = js.as(
    js.name("value"),
    js.union([runtimeType("JsonObject"), js.keyword("null"), js.keyword("undefined")]),
  );
  return js.arrow([js.parameter("value", optionalJson)], js.optionalMember(object, key), { returns: optionalJson });
}

function readMember(key: string): JsExpression {
  const value = js.name("value");
  const member = js.member(value, key);
  const isThere = js.and(js.call(helper("mayHaveMembers"), [value]), js.binary(member, "!==", js.undefinedName));
  const absent = js.call(helper("absent"), [value, js.literal(key)]);
  return js.arrow([js.parameter("value", jsonType)], js.conditional(isThere, member, absent), { returns: jsonType });
}
