import protobuf from "protobufjs";
import { type Expression, js } from "../../../../src/code/index.ts";
import { unknownOperation, unusableOperation } from "../../diagnostics/kinds.ts";
import type { TypescriptBinding } from "../configured.ts";
import { pathOf } from "../documents.ts";
import type { FunctionUse, Implementation } from "../functions.ts";
import type { Context } from "../implementation.ts";
import { headersCode, secondsCode, settingCode } from "../settings.ts";
import { once } from "../shared.ts";
import { exportedType } from "../types.ts";
import { type ProtoFiles, protoFiles } from "./files.ts";
import { type MessageTypes, messageTypes, nameOf } from "./types.ts";

type Binding = TypescriptBinding & { readonly kind: "grpc" };

/** A function that is a method of a gRPC service; undefined where that cannot be called, which is reported. */
export function implementByGrpc(use: FunctionUse, binding: Binding, context: Context): Implementation | undefined {
  const shared = once(context.shared.protos, pathOf(binding), () => read(binding, context));
  const method = shared && methodOf(shared.files, binding, context);
  if (!shared || !method) return undefined;
  if (method.requestStream || method.responseStream) {
    const reason = "it sends or takes a stream, and functions have one argument and one answer";
    context.report(unusableOperation(binding.span, { name: `${binding.service}/${method.name}`, reason }));
    return undefined;
  }
  const { name, sources } = shared.files;
  const folder = folderFor(pathOf(binding), context);
  return {
    code: js.call(js.imported("grpc", "./runtime/functions/grpc.ts"), [placeCode(binding, folder, name)]),
    doc: `\`${binding.service}/${method.name}\` of ${binding.file}`,
    types: typesOf(use, method, shared.types, context),
    files: [...sources].map(([file, { text }]) => ({ path: `${folder}/${file}`, text })),
  };
}

function read(binding: Binding, context: Context) {
  const files = protoFiles(pathOf(binding), binding.span, context);
  return files && { files, types: messageTypes(context.names) };
}

/** The folder of the program for the files of a folder: names of imports are relative to it. */
function folderFor(file: string, { shared: { protoFolders } }: Context): string {
  const folder = file.replaceAll("\\", "/").replace(/[^/]*$/, "");
  return once(protoFolders, folder, () => (protoFolders.size === 0 ? "proto" : `proto${protoFolders.size + 1}`));
}

/** The method, as the runtime takes it. */
function placeCode(
  { service, method, address, tls, headers, timeout }: Binding,
  folder: string,
  file: string,
): Expression {
  const here = js.member(js.member(js.name("import"), "meta"), "url");
  return js.record({
    folder: js.construct("URL", [js.literal(`./${folder}/`), here]),
    file: js.literal(file),
    service: js.literal(service),
    method: js.literal(method),
    address: settingCode(address),
    tls: tls ? undefined : js.literal(false),
    metadata: headersCode(headers),
    timeout: secondsCode(timeout),
  });
}

function methodOf(
  { name, root }: ProtoFiles,
  { service, method, span }: Binding,
  { report }: Context,
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

/** The services by their names, which have the package before them. */
function servicesIn(scope: protobuf.NamespaceBase): ReadonlyMap<string, protobuf.Service> {
  return new Map(
    scope.nestedArray.flatMap((each) => {
      if (each instanceof protobuf.Service) return [[nameOf(each), each] as const];
      return each instanceof protobuf.Namespace ? [...servicesIn(each)] : [];
    }),
  );
}

function typesOf(
  { name }: FunctionUse,
  { name: method, parent, requestType, responseType }: protobuf.Method,
  types: MessageTypes,
  { names }: Context,
): Implementation["types"] {
  const scope = parent!;
  return [
    exportedType(names.type(`${name} argument`), `What \`${method}\` takes.`, types.typeOf(requestType, scope, true)),
    exportedType(names.type(`${name} answer`), `What \`${method}\` answers.`, types.typeOf(responseType, scope, false)),
  ];
}
