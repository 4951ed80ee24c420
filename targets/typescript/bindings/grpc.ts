import protobuf from "protobufjs";
import { type JsExpression, js, type TypeDeclaration, type TypeNode } from "../../../src/js-ast/index.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import { truncate } from "../../../src/text/messages.ts";
import type { Source, Span } from "../../../src/text/source.ts";
import { unknownOperation, unusableDocument, unusableOperation } from "../diagnostics/kinds.ts";
import { runtime } from "../emit/runtime-imports.ts";
import type { TypescriptBinding } from "./configuration.ts";
import { type DocumentAccess, documentPath, readBoundDocument, resolvePath } from "./configuration.ts";
import type { BindingContext } from "./implementation.ts";
import { headersCode, numberCode, settingCode } from "./print.ts";
import type { FunctionUse, Implementation } from "./request.ts";
import type { LocalNames } from "./shared.ts";
import { combineTypes, exportedType, getOrCreate, jsonObject, mapType } from "./shared.ts";

/** Implements a function by a gRPC method, or reports an error. */
export function implementByGrpc(
  use: FunctionUse,
  binding: GrpcBinding,
  context: BindingContext,
): Implementation | undefined {
  const shared = getOrCreate(context.shared.protos, documentPath(binding), () => readProtoFiles(binding, context));
  const method = shared && methodOf(shared.files, binding, context);
  if (!shared || !method) return undefined;
  if (method.requestStream || method.responseStream) {
    const reason = "streaming methods are not supported";
    context.report(unusableOperation(binding.span, { name: `${binding.service}/${method.name}`, reason }));
    return undefined;
  }
  const { name, sources } = shared.files;
  const folder = folderFor(documentPath(binding), context);
  return {
    code: js.call(runtime("grpc"), [methodCode(binding, folder, name)]),
    doc: `\`${binding.service}/${method.name}\` of ${binding.file}`,
    types: typesOf(use, method, shared.types, context),
    files: [...sources].map(([file, { text }]) => ({ path: `${folder}/${file}`, text })),
  };
}

/** A .proto file with its imports. */
export interface ProtoFiles {
  readonly name: string;
  /** The files by import path, the file itself first. */
  readonly sources: ReadonlyMap<string, Source>;
  /** All definitions, with JSON names. */
  readonly root: protobuf.Root;
}

/** The types of messages in JSON form. */
export interface MessageTypes {
  /** The type of a message name in a scope. `isSent`: all fields are optional. */
  typeOfMessage(name: string, scope: protobuf.NamespaceBase, isSent: boolean): TypeNode;
  readonly named: readonly TypeDeclaration[];
}

/** The qualified name of a definition in a .proto file. */
export const qualifiedName = ({ fullName }: protobuf.ReflectionObject): string => fullName.slice(1);

type GrpcBinding = TypescriptBinding & { readonly kind: "grpc" };

function readProtoFiles(binding: GrpcBinding, context: BindingContext) {
  const files = parseProtoFiles(documentPath(binding), binding.span, context);
  return files && { files, types: messageTypes(context.names) };
}

/** One folder of the program per source folder, since imports are relative to it. */
function folderFor(file: string, { shared: { protoFolders } }: BindingContext): string {
  const folder = file.replaceAll("\\", "/").replace(/[^/]*$/, "");
  return getOrCreate(protoFolders, folder, () => (protoFolders.size === 0 ? "proto" : `proto${protoFolders.size + 1}`));
}

function methodCode(
  { service, method, address, tls, headers, timeout }: GrpcBinding,
  folder: string,
  file: string,
): JsExpression {
  const here = js.member(js.member(js.name("import"), "meta"), "url");
  return js.record({
    folder: js.newExpression("URL", [js.literal(`./${folder}/`), here]),
    file: js.literal(file),
    service: js.literal(service),
    method: js.literal(method),
    address: settingCode(address),
    tls: tls ? undefined : js.literal(false),
    metadata: headersCode(headers),
    timeout: numberCode(timeout),
  });
}

function methodOf(
  { name, root }: ProtoFiles,
  { service, method, span }: GrpcBinding,
  { report }: BindingContext,
): protobuf.Method | undefined {
  const services = servicesIn(root);
  const found = services.get(service);
  if (!found) {
    report(unknownOperation(span, { path: name, noun: "service", name: service, known: [...services.keys()] }));
    return undefined;
  }
  const called = found.methodsArray.find((each) => each.name === method);
  if (!called) {
    const known = found.methodsArray.map((each) => each.name);
    report(unknownOperation(span, { path: name, noun: `method of ${service}`, name: method, known }));
  }
  return called;
}

function servicesIn(scope: protobuf.NamespaceBase): ReadonlyMap<string, protobuf.Service> {
  return new Map(
    scope.nestedArray.flatMap((each) => {
      if (each instanceof protobuf.Service) return [[qualifiedName(each), each] as const];
      return each instanceof protobuf.Namespace ? [...servicesIn(each)] : [];
    }),
  );
}

function typesOf(
  { name }: FunctionUse,
  { name: method, parent, requestType, responseType }: protobuf.Method,
  types: MessageTypes,
  { names }: BindingContext,
): Implementation["types"] {
  const scope = parent!;
  return [
    exportedType(
      names.type(`${name} argument`),
      `The argument of \`${method}\`.`,
      types.typeOfMessage(requestType, scope, true),
    ),
    exportedType(
      names.type(`${name} answer`),
      `The result of \`${method}\`.`,
      types.typeOfMessage(responseType, scope, false),
    ),
  ];
}

function parseProtoFiles(file: string, span: Span, documents: DocumentAccess): ProtoFiles | undefined {
  const name = file.slice(file.replaceAll("\\", "/").lastIndexOf("/") + 1);
  const sources = new Map<string, Source>();
  const root = new protobuf.Root();
  const waiting = [name];
  for (let imported = waiting.pop(); imported !== undefined; imported = waiting.pop()) {
    if (sources.has(imported) || imported.startsWith("google/protobuf/")) continue;
    if (!hasSafePath(imported, span, documents)) return undefined;
    const source = readBoundDocument(imported === name ? file : resolvePath(file, imported), span, documents);
    const imports = source && parseInto(root, source, documents);
    if (!imports) return undefined;
    sources.set(imported, source);
    waiting.push(...imports);
  }
  return { name, sources, root };
}

/** Files are copied next to the program, so paths must stay inside the folder and be portable. */
function hasSafePath(imported: string, span: Span, { report }: DocumentAccess): boolean {
  if (/^(?!.*(?:^|\/)\.)[\w.-]+(?:\/[\w.-]+)*$/.test(imported)) return true;
  report(
    unusableDocument(span, {
      detail: `\`${truncate(imported)}\` must be a path within the folder of the bound file, with only letters, digits, \`_\`, \`-\` and \`.\`.`,
    }),
  );
  return false;
}

/** Adds the definitions of a file and returns its imports. */
function parseInto(root: protobuf.Root, source: Source, { report }: DocumentAccess): readonly string[] | undefined {
  try {
    const { imports = [], weakImports = [] } = protobuf.parse(source.text, root);
    return [...imports, ...weakImports];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    report(syntaxError(source, error.message));
    return undefined;
  }
}

/** Locates a parser message such as `illegal token ';', '=' expected (line 3)`; `null` is the end of the file. */
function syntaxError(source: Source, message: string): Diagnostic {
  const [, reason = "", line] = /^(.*?)(?: \(line (\d+)\))?$/s.exec(message) ?? [];
  const lines = source.text.split("\n");
  if (/\bnull\b/.test(reason) && Number(line ?? lines.length) === lines.length) {
    const end = source.text.length;
    return unusableDocument({ source, start: end, end }, { detail: "Unexpected end of the .proto file." });
  }
  const before = lines.slice(0, Number(line ?? 1) - 1);
  const text = lines[before.length] ?? "";
  const token = /'([^']+)'/.exec(reason)?.[1] ?? "";
  const excerpt = token !== "" && text.split(token).length === 2 ? token : text.trim();
  const start = before.reduce((sum, { length }) => sum + length + 1, text.indexOf(excerpt));
  const detail = `Invalid .proto file: ${truncate(reason.replace(/'([^']+)'/g, "`$1`"), 100)}.`;
  return unusableDocument({ source, start, end: start + excerpt.length }, { detail });
}

function messageTypes(names: LocalNames): MessageTypes {
  const known = new Map<string, { readonly name: string; readonly doc: string; type: TypeNode }>();
  const typeOf = (name: string, scope: protobuf.NamespaceBase, isSent: boolean): TypeNode => {
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
      doc: `\`${qualifiedName(type)}\``,
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
    typeOfMessage: typeOf,
    get named() {
      return Array.from(known.values(), ({ name, doc, type }) => exportedType(name, doc, type));
    },
  };
}

function enumType({ values }: protobuf.Enum): TypeNode {
  const names = Object.keys(values);
  return names.length === 0 ? js.keyword("string") : js.union(names.map(js.literalType));
}

function fieldsType(fields: readonly protobuf.Field[], typeOf: (type: string) => TypeNode, isSent: boolean): TypeNode {
  if (fields.length === 0) return jsonObject;
  return js.objectType(
    fields.map(({ name, type: written, repeated, map }) => {
      const one = typeOf(written);
      const type = repeated ? js.arrayType(one) : map ? mapType(one) : one;
      const isMessage = !repeated && !map && scalars[written] === undefined;
      const shown = isMessage && !isSent ? combineTypes([type, js.keyword("null")], "|") : type;
      return js.propertySignature(name, shown, { optional: isSent || isMessage });
    }),
  );
}

const [number, string, boolean] = [js.keyword("number"), js.keyword("string"), js.keyword("boolean")];

const scalars: { readonly [type: string]: TypeNode | undefined } = Object.assign(Object.create(null), {
  ...Object.fromEntries(
    ["double", "float", "int32", "uint32", "sint32", "fixed32", "sfixed32"].map((type) => [type, number]),
  ),
  ...Object.fromEntries(
    ["int64", "uint64", "sint64", "fixed64", "sfixed64", "string", "bytes"].map((type) => [type, string]),
  ),
  bool: boolean,
});
