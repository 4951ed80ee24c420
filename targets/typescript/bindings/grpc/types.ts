import protobuf from "protobufjs";
import type { LocalNames } from "../local-names.ts";
import { grouped, membersText } from "../openapi/types.ts";
import { quoted } from "../text.ts";

/** The types of messages in their JSON form. */
export interface MessageTypes {
  /** The type of a message, by its name as it is written in a scope. `isSent`: any field may be left out. */
  typeOf(name: string, scope: protobuf.NamespaceBase, isSent: boolean): string;
  readonly named: readonly { readonly name: string; readonly doc: string; readonly text: string }[];
}

/** Writes types of messages as named types. */
export function messageTypes(names: LocalNames): MessageTypes {
  const known = new Map<string, { readonly name: string; readonly doc: string; text: string }>();
  const typeOf = (name: string, scope: protobuf.NamespaceBase, isSent: boolean): string => {
    const plain = scalars[name];
    if (plain !== undefined) return plain;
    const type = scope.lookup(name, [protobuf.Type, protobuf.Enum]);
    if (!(type instanceof protobuf.Type || type instanceof protobuf.Enum)) return "JsonObject";
    const isInput = isSent && type instanceof protobuf.Type;
    const key = `${type.fullName} ${isInput}`;
    const before = known.get(key);
    if (before) return before.name;
    const entry = {
      name: names.type(isInput ? `${type.name} input` : type.name),
      doc: `\`${nameOf(type)}\``,
      text: "",
    };
    known.set(key, entry);
    entry.text =
      type instanceof protobuf.Enum
        ? Object.keys(type.values).map(quoted).join(" | ") || "string"
        : fieldsText(type.fieldsArray, (field) => typeOf(field, type, isSent), isSent);
    return entry.name;
  };
  return {
    typeOf,
    get named() {
      return [...known.values()];
    },
  };
}

/** The name of what a .proto file defines, with the package and the messages around it before it. */
export const nameOf = ({ fullName }: protobuf.ReflectionObject): string => fullName.slice(1);

function fieldsText(fields: readonly protobuf.Field[], typeOf: (type: string) => string, isSent: boolean): string {
  if (fields.length === 0) return "JsonObject";
  return membersText(
    fields.map(({ name, type, repeated, map }) => {
      const one = typeOf(type);
      const text = repeated ? `readonly ${grouped(one)}[]` : map ? `{ readonly [name: string]: ${one} }` : one;
      const isMessage = !repeated && !map && scalars[type] === undefined;
      return { name, isRequired: !isSent && !isMessage, type: isMessage && !isSent ? `${text} | null` : text };
    }),
  );
}

const scalars: { readonly [type: string]: string | undefined } = Object.assign(Object.create(null), {
  ...Object.fromEntries(
    ["double", "float", "int32", "uint32", "sint32", "fixed32", "sfixed32"].map((type) => [type, "number"]),
  ),
  ...Object.fromEntries(
    ["int64", "uint64", "sint64", "fixed64", "sfixed64", "string", "bytes"].map((type) => [type, "string"]),
  ),
  bool: "boolean",
});
