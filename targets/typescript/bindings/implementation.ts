import type { BuiltIn, Grpc } from "../../../src/ir/protocols.ts";
import { js } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import type { Settings } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { ResourceReader } from "../../../src/text/resources.ts";
import { normalizePath } from "../../../src/text/uris.ts";
import { missingExport, missingModule, nonFunctionExport, unusableOperation } from "../diagnostics/kinds.ts";
import { runtime } from "../expressions/runtime.ts";
import type { CallSettings, TypescriptBinding } from "./configured.ts";
import { beside, checkAddress, reportUnused } from "./configured.ts";
import { implementByOpenapi } from "./openapi/implement.ts";
import { callOptions } from "./print.ts";
import { grpcBinding, implementByProtocol, type Need, type Reached, type SettingsBinding } from "./protocols.ts";
import type { BoundModule, FunctionUse, Implementation } from "./request.ts";
import type { LocalNames, Shared } from "./shared.ts";

/** What implementing a function needs to know. */
export interface Context {
  readonly read: ResourceReader | undefined;
  readonly names: LocalNames;
  readonly report: Report;
  readonly shared: Shared;
  readonly moduleBase?: Settings["moduleBase"];
  readonly inspectModule?: Settings["inspectModule"];
  readonly findDependencies?: Settings["findDependencies"];
  /** The functions that nothing says anything of. */
  readonly unbound: FunctionUse[];
  /** The modules that functions are bound to. */
  readonly modules: BoundModule[];
  /** The functions whose calls need more than is said. */
  readonly incomplete: (Need & { readonly use: FunctionUse })[];
}

/**
 * A function, by its binding where that says a place, else by what the definition says of it, else by a failure. Secrets are read
 * from the environment where nothing else is bound.
 */
export async function implementationOf(
  use: FunctionUse,
  binding: TypescriptBinding | undefined,
  context: Context,
): Promise<Implementation> {
  const { name, resource = "", protocol } = use;
  switch (protocol?.kind) {
    case "clock":
    case "random":
    case "id":
      if (binding?.kind === "settings") reportUnused(binding.written, [], "within the program", context.report);
      return byBuiltIn(protocol, context);
    case "secret":
      if (!use.isReader)
        return refused(use, "it reads a secret, and results of calls are stored in the journal of the run", context, {
          hint: "Read the secret in the function that needs it.",
        });
      if (binding && binding.kind !== "settings") break;
      if (binding) reportUnused(binding.written, [], "in the environment", context.report);
      return { code: runtime("secret", context.names.value("secret")) };
    case "script":
      throw new Error(`The module of a workflow has the function ${name} itself.`);
    case "http":
    case "grpc":
    case "cloudFunction":
    case "database":
    case "workflow":
      if (binding && binding.kind !== "settings") break;
      return protocol.kind === "grpc"
        ? byMethod(use, protocol, binding, context)
        : byProtocol(use, protocol, binding, context);
    case undefined:
      break;
    default:
      return assertNever(protocol);
  }
  if (binding && binding.kind !== "settings")
    return (await bound(use, binding, context)) ?? failing(use, "Its binding cannot be used.");
  if (!/^https?:\/\/[^\s"<>\\^`|]+$/i.test(resource)) return unbound(use, context);
  if (binding) reportUnused(binding.written, ["headers", "timeout"], "by HTTP", context.report);
  checkAddress(resource, use.span, context.report);
  return byHttp(`POST ${resource}`, binding);
}

function refused(
  use: FunctionUse,
  reason: string,
  { report }: Context,
  { hint }: { readonly hint: string },
): Implementation {
  report(unusableOperation(use.span, { name: use.name, reason, hint }));
  return failing(use, "It cannot be called.");
}

/** A method of a gRPC service: by the .proto file that the definition names, else as the server describes itself. */
async function byMethod(
  use: FunctionUse,
  protocol: Grpc,
  binding: SettingsBinding | undefined,
  context: Context,
): Promise<Implementation> {
  const said = grpcBinding(protocol, use.span, binding);
  if (!said) return byProtocol(use, protocol, binding, context);
  if ("needs" in said) return incomplete(use, said, context);
  if (binding) reportUnused(binding.written, ["headers", "timeout", "server", "tls"], "by gRPC", context.report);
  return (await bound(use, said, context)) ?? failing(use, "Its definition cannot be used.");
}

/** A function that is reached as its definition says, where a program can do that. */
function byProtocol(
  use: FunctionUse,
  protocol: Reached,
  binding: SettingsBinding | undefined,
  context: Context,
): Implementation {
  const made = implementByProtocol(protocol, binding, context.report);
  if ("code" in made) return made;
  if ("obstacle" in made)
    return refused(use, made.obstacle, context, {
      hint: "Bind it in the configuration to a module, a URL, an `openapi` operation or a `grpc` method.",
    });
  return incomplete(use, made, context);
}

function incomplete(use: FunctionUse, need: Need, context: Context): Implementation {
  context.incomplete.push({ ...need, use });
  return failing(use, `It needs ${need.needs}: say it in waybill.config.yaml.`);
}

/** Undefined where the binding cannot be used, which has been reported. */
async function bound(
  use: FunctionUse,
  binding: Exclude<TypescriptBinding, { readonly kind: "settings" }>,
  context: Context,
): Promise<Implementation | undefined> {
  switch (binding.kind) {
    case "module":
      await checkModule(binding, context);
      return await byModule(use, binding, context);
    case "http":
      return byHttp(binding.request, binding);
    case "openapi":
      return implementByOpenapi(use, binding, context);
    case "grpc":
      return (await import("./grpc.ts")).implementByGrpc(use, binding, context);
    default:
      return assertNever(binding);
  }
}

function byBuiltIn({ kind }: BuiltIn, { names }: Context): Implementation {
  return { code: runtime(kind, names.value(kind)) };
}

/** Looks whether a module is there and exports the function; not into packages, whose place depends on where the program is installed. */
async function checkModule(
  binding: TypescriptBinding & { readonly kind: "module" },
  { inspectModule, report }: Context,
): Promise<void> {
  if (!inspectModule || !isRelative.test(binding.module)) return;
  const path = beside(binding.configuration.path, binding.module);
  const seen = await inspectModule(path);
  const { span, name } = binding;
  if ("reason" in seen) return report(missingModule(span, { path, reason: seen.reason }));
  const kind = seen.exports.get(name);
  if (kind === "value" || kind === "type") report(nonFunctionExport(span, { path, name, isType: kind === "type" }));
  if (kind === undefined && !seen.isOpen) report(missingExport(span, { path, name, known: [...seen.exports.keys()] }));
}

const isRelative = /^\.{1,2}\//;

async function byModule(
  { name }: FunctionUse,
  { module: written, name: exported, configuration, span }: TypescriptBinding & { readonly kind: "module" },
  { names, moduleBase = () => "./", findDependencies, modules }: Context,
): Promise<Implementation> {
  const local = names.value(exported === "default" ? name : exported);
  const place = (path: string): string => placed(path, moduleBase(configuration));
  const module = isRelative.test(written) ? place(written) : written;
  const needed = await findDependencies?.(configuration.path, written);
  modules.push({
    module,
    span,
    files: needed?.files.map(place) ?? (isRelative.test(written) ? [module] : []),
    installs: needed?.installs.map(({ folder, isLocked }) => ({ folder: place(folder), isLocked })) ?? [],
  });
  return { code: js.imported(exported, module, local) };
}

/** A module by its path from another folder, or by its URL there. */
function placed(module: string, folder: string): string {
  if (folder.startsWith("file:")) return new URL(module, folder).href;
  const path = normalizePath(folder === "" ? module : `${folder}/${module}`);
  return /^\.\.(?:\/|$)/.test(path) ? path : `./${path}`;
}

function byHttp(request: string, settings: CallSettings | undefined): Implementation {
  const http = runtime("http");
  return { code: js.call(http, [js.literal(request), ...callOptions(settings)]) };
}

function unbound(use: FunctionUse, context: Context): Implementation {
  context.unbound.push(use);
  return failing(use, "Nothing says where it is: bind it in waybill.config.yaml.");
}

function failing({ name }: FunctionUse, why: string): Implementation {
  const message = js.literal(`The function ${name} is not implemented. ${why}`);
  const error = runtime("WorkflowError");
  return {
    code: js.arrow([], [js.throwStatement(js.newExpression(error, [js.literal("NotImplemented"), message]))], {
      async: true,
    }),
  };
}
