import { unknownOperation, unusableOperation } from "../../diagnostics/kinds.ts";
import type { TypescriptBinding } from "../configured.ts";
import type { FunctionUse, Implementation } from "../functions.ts";
import type { Context } from "../implementation.ts";
import { once } from "../shared.ts";
import { headersText, objectText, quoted, settingText } from "../text.ts";
import { type ProtoFiles, protoFiles } from "./files.ts";
import type { ProtoMethod } from "./proto.ts";
import { type MessageTypes, messageTypes } from "./types.ts";

type Binding = TypescriptBinding & { readonly kind: "grpc" };

/** A function that is a method of a gRPC service; undefined where that cannot be called, which is reported. */
export function implementByGrpc(use: FunctionUse, binding: Binding, context: Context): Implementation | undefined {
  const shared = once(context.shared.protos, binding.file, () => read(binding, context));
  const method = shared && methodOf(shared.files, binding, context);
  if (!shared || !method) return undefined;
  if (method.isStreaming) {
    const reason = "it sends or takes a stream, and functions have one argument and one answer";
    context.report(unusableOperation(binding.span, { name: `${binding.service}/${method.name}`, reason }));
    return undefined;
  }
  const { name, files } = shared.files;
  const folder = folderFor(binding.file, context);
  return {
    text: `grpc(${placeText(binding, folder, name)})`,
    doc: `\`${binding.service}/${method.name}\` of ${binding.file}`,
    imports: [{ module: "./runtime/functions/grpc.ts", name: "grpc" }],
    types: typesOf(use, method, shared.types, binding.service, context),
    files: [...files].map(([file, { source }]) => ({ path: `${folder}/${file}`, text: source.text })),
  };
}

function read({ file, span }: Binding, context: Context) {
  const files = protoFiles(file, span, context);
  if (!files) return undefined;
  const types = [...files.files.values()].flatMap(({ proto }) => proto.types);
  return { files, types: messageTypes(types, context.names) };
}

/** The folder of the program for the files of a folder: names of imports are relative to it. */
function folderFor(file: string, { shared: { protoFolders } }: Context): string {
  const folder = file.replaceAll("\\", "/").replace(/[^/]*$/, "");
  return once(protoFolders, folder, () => (protoFolders.size === 0 ? "proto" : `proto${protoFolders.size + 1}`));
}

function placeText({ service, method, address, tls, headers, timeout }: Binding, folder: string, file: string): string {
  const members = [
    ["folder", `new URL("./${folder}/", import.meta.url)`],
    ["file", quoted(file)],
    ["service", quoted(service)],
    ["method", quoted(method)],
    ["address", settingText(address)],
    ["tls", tls ? undefined : "false"],
    ["metadata", headersText(headers)],
    ["timeout", timeout?.toString()],
  ] as const;
  return objectText(members);
}

function methodOf(
  { name, files }: ProtoFiles,
  { service, method, span }: Binding,
  { report }: Context,
): ProtoMethod | undefined {
  const services = [...files.values()].flatMap(({ proto }) => proto.services);
  const found = services.find((each) => each.name === service);
  if (!found) {
    report(
      unknownOperation(span, { path: name, noun: "service", name: service, known: services.map((each) => each.name) }),
    );
    return undefined;
  }
  const known = found.methods.map((each) => each.name);
  if (!known.includes(method))
    report(unknownOperation(span, { path: name, noun: `method of ${service}`, name: method, known }));
  return found.methods.find((each) => each.name === method);
}

function typesOf(
  { name }: FunctionUse,
  method: ProtoMethod,
  types: MessageTypes,
  scope: string,
  { names }: Context,
): Implementation["types"] {
  return [
    {
      name: names.type(`${name} argument`),
      doc: `What \`${method.name}\` takes.`,
      text: types.typeOf(method.input, scope, true),
    },
    {
      name: names.type(`${name} answer`),
      doc: `What \`${method.name}\` answers.`,
      text: types.typeOf(method.output, scope, false),
    },
  ];
}
