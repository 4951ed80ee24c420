import type { LocalNames } from "../local-names.ts";
import { grouped, membersText } from "../openapi/types.ts";
import { quoted } from "../text.ts";
import type { ProtoField, ProtoType } from "./proto.ts";

/** The types of messages in their JSON form. */
export interface MessageTypes {
  /** The type of a message, by its name as it is written in a scope. `isSent`: any field may be left out. */
  typeOf(name: string, scope: string, isSent: boolean): string;
  readonly named: readonly { readonly name: string; readonly doc: string; readonly text: string }[];
}

/** Writes types of messages as named types. */
export function messageTypes(types: readonly ProtoType[], names: LocalNames): MessageTypes {
  const byName = new Map(types.map((type) => [type.name, type]));
  const known = new Map<string, { readonly name: string; readonly doc: string; text: string }>();
  const typeOf = (name: string, scope: string, isSent: boolean): string => {
    const plain = scalars[name];
    if (plain !== undefined) return plain;
    const type = found(byName, name, scope);
    if (!type) return "JsonObject";
    const key = type.kind === "enum" ? type.name : `${type.name} ${isSent}`;
    const before = known.get(key);
    if (before) return before.name;
    const wanted = type.name.slice(type.name.lastIndexOf(".") + 1);
    const entry = {
      name: names.type(isSent && type.kind === "message" ? `${wanted} input` : wanted),
      doc: `\`${type.name}\``,
      text: "",
    };
    known.set(key, entry);
    entry.text =
      type.kind === "enum"
        ? type.values.map(quoted).join(" | ") || "string"
        : fieldsText(type.fields, (field) => typeOf(field, type.name, isSent), isSent);
    return entry.name;
  };
  return {
    typeOf,
    get named() {
      return [...known.values()];
    },
  };
}

function fieldsText(fields: readonly ProtoField[], typeOf: (type: string) => string, isSent: boolean): string {
  if (fields.length === 0) return "JsonObject";
  return membersText(
    fields.map(({ name, type, cardinality }) => {
      const one = typeOf(type);
      const text =
        cardinality === "many"
          ? `readonly ${grouped(one)}[]`
          : cardinality === "map"
            ? `{ readonly [name: string]: ${one} }`
            : one;
      const isMessage = cardinality === "one" && scalars[type] === undefined;
      return {
        name: camelCase(name),
        isRequired: !isSent && !isMessage,
        type: isMessage && !isSent ? `${text} | null` : text,
      };
    }),
  );
}

/** The type that a name means in a scope: the innermost that there is. */
function found(types: ReadonlyMap<string, ProtoType>, name: string, scope: string): ProtoType | undefined {
  if (name.startsWith(".")) return types.get(name.slice(1));
  for (let around = scope; ; around = around.slice(0, Math.max(0, around.lastIndexOf(".")))) {
    const type = types.get(around === "" ? name : `${around}.${name}`);
    if (type || around === "") return type;
  }
}

/** A field's name in the JSON form, as the runtime's loader makes it. */
const camelCase = (name: string): string =>
  name[0] + name.slice(1).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const scalars: { readonly [type: string]: string | undefined } = Object.assign(Object.create(null), {
  ...Object.fromEntries(
    ["double", "float", "int32", "uint32", "sint32", "fixed32", "sfixed32"].map((type) => [type, "number"]),
  ),
  ...Object.fromEntries(
    ["int64", "uint64", "sint64", "fixed64", "sfixed64", "string", "bytes"].map((type) => [type, "string"]),
  ),
  bool: "boolean",
});
