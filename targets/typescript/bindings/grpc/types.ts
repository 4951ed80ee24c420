import protobuf from "protobufjs";
import { js, type Type, type TypeDeclaration } from "../../../../src/code/index.ts";
import type { LocalNames } from "../local-names.ts";
import { exportedType, joined, jsonObject, mapType } from "../types.ts";

/** The types of messages in their JSON form. */
export interface MessageTypes {
  /** The type of a message, by its name as it is written in a scope. `isSent`: any field may be left out. */
  typeOf(name: string, scope: protobuf.NamespaceBase, isSent: boolean): Type;
  readonly named: readonly TypeDeclaration[];
}

/** Writes types of messages as named types. */
export function messageTypes(names: LocalNames): MessageTypes {
  const known = new Map<string, { readonly name: string; readonly doc: string; type: Type }>();
  const typeOf = (name: string, scope: protobuf.NamespaceBase, isSent: boolean): Type => {
    const plain = scalars[name];
    if (plain !== undefined) return plain;
    const type = scope.lookup(name, [protobuf.Type, protobuf.Enum]);
    if (!(type instanceof protobuf.Type || type instanceof protobuf.Enum)) return jsonObject;
    const isInput = isSent && type instanceof protobuf.Type;
    const key = `${type.fullName} ${isInput}`;
    const before = known.get(key);
    if (before) return js.type(before.name);
    const entry = {
      name: names.type(isInput ? `${type.name} input` : type.name),
      doc: `\`${nameOf(type)}\``,
      type: jsonObject,
    };
    known.set(key, entry);
    entry.type =
      type instanceof protobuf.Enum
        ? enumType(type)
        : fieldsType(type.fieldsArray, (field) => typeOf(field, type, isSent), isSent);
    return js.type(entry.name);
  };
  return {
    typeOf,
    get named() {
      return Array.from(known.values(), ({ name, doc, type }) => exportedType(name, doc, type));
    },
  };
}

/** The name of what a .proto file defines, with the package and the messages around it before it. */
export const nameOf = ({ fullName }: protobuf.ReflectionObject): string => fullName.slice(1);

function enumType({ values }: protobuf.Enum): Type {
  const names = Object.keys(values);
  return names.length === 0 ? js.keyword("string") : js.union(names.map(js.literalType));
}

function fieldsType(fields: readonly protobuf.Field[], typeOf: (type: string) => Type, isSent: boolean): Type {
  if (fields.length === 0) return jsonObject;
  return js.objectType(
    fields.map(({ name, type: written, repeated, map }) => {
      const one = typeOf(written);
      const type = repeated ? js.arrayType(one) : map ? mapType(one) : one;
      const isMessage = !repeated && !map && scalars[written] === undefined;
      const shown = isMessage && !isSent ? joined([type, js.keyword("null")], "|") : type;
      return js.propertySignature(name, shown, { optional: isSent || isMessage });
    }),
  );
}

const [number, string, boolean] = [js.keyword("number"), js.keyword("string"), js.keyword("boolean")];

const scalars: { readonly [type: string]: Type | undefined } = Object.assign(Object.create(null), {
  ...Object.fromEntries(
    ["double", "float", "int32", "uint32", "sint32", "fixed32", "sfixed32"].map((type) => [type, number]),
  ),
  ...Object.fromEntries(
    ["int64", "uint64", "sint64", "fixed64", "sfixed64", "string", "bytes"].map((type) => [type, string]),
  ),
  bool: boolean,
});
