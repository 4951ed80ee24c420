import {
  type BuiltIn,
  cloudFunctionName,
  describeProtocol,
  type Grpc,
  type Process,
} from "../../../src/ir/protocols.ts";
import { js } from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { ResourceReader } from "../../../src/text/uris.ts";
import { unusableOperation } from "../diagnostics/kinds.ts";
import { runtime } from "../emit/runtime-imports.ts";
import type { CallSettings, TypescriptBinding } from "./configuration.ts";
import { checkAddress, reportIneffective } from "./configuration.ts";
import { checkExports, locateModule, type ModuleAccess } from "./modules.ts";
import { implementByOpenapi } from "./openapi/implement.ts";
import { callOptions, numberCode } from "./print.ts";
import {
  type ExternalProtocol,
  grpcBinding,
  implementByProtocol,
  type MissingSetting,
  type SettingsBinding,
} from "./protocols.ts";
import type { BoundModule, FunctionUse, Implementation } from "./request.ts";
import type { LocalNames, SharedDocuments } from "./shared.ts";

/** The state for implementing the functions of a program. */
export interface BindingContext extends ModuleAccess {
  readonly read: ResourceReader | undefined;
  readonly names: LocalNames;
  readonly report: Report;
  readonly shared: SharedDocuments;
  readonly unbound: FunctionUse[];
  readonly modules: BoundModule[];
  readonly incomplete: (MissingSetting & { readonly use: FunctionUse })[];
}

/** Implements a function by its binding, or as defined, or by an error. */
export async function implementFunction(
  use: FunctionUse,
  binding: TypescriptBinding | undefined,
  context: BindingContext,
): Promise<Implementation> {
  const { name, resource = "", protocol } = use;
  switch (protocol?.kind) {
    case "clock":
    case "random":
    case "id":
    case "run":
      if (binding?.kind === "settings") reportIneffective(binding.spans, [], "within the program", context.report);
      return implementBuiltIn(protocol, context);
    case "secret":
      if (!use.isReader)
        return unsupported(
          use,
          "it reads a secret, and results of calls are stored in the journal of the run",
          context,
          {
            hint: "Read the secret in the function that needs it.",
          },
        );
      if (binding && binding.kind !== "settings") break;
      if (binding) reportIneffective(binding.spans, [], "in the environment", context.report);
      return { code: runtime("secret", context.names.value("secret")) };
    case "script":
      throw new Error(`The source of ${name} is in its workflow, so it needs no implementation.`);
    case "http":
    case "grpc":
    case "cloudFunction":
    case "database":
    case "workflow":
      if (binding && binding.kind !== "settings") break;
      return protocol.kind === "grpc"
        ? implementGrpcMethod(use, protocol, binding, context)
        : implementExternal(use, protocol, binding, context);
    case "process":
      if (binding && binding.kind !== "settings") break;
      return implementProcess(use, protocol, binding, context);
    case "log":
      if (binding && binding.kind !== "settings") break;
      if (binding) reportIneffective(binding.spans, [], "within the program", context.report);
      return { code: js.call(runtime("logLine"), [js.literal(protocol.level)]) };
    case "activity":
    case undefined:
      break;
    default:
      return assertNever(protocol);
  }
  if (binding && binding.kind !== "settings")
    return (await implementBinding(use, binding, context)) ?? notImplemented(use, "Its binding cannot be used.");
  if (!/^https?:\/\/[^\s"<>\\^`|]+$/i.test(resource)) return unbound(use, context);
  if (binding) reportIneffective(binding.spans, ["headers", "timeout"], "by HTTP", context.report);
  checkAddress(resource, use.span, context.report);
  return implementHttp(`POST ${resource}`, binding);
}

/** `shell()`, `javascript({ timeout: 10 })` */
function implementProcess(
  use: FunctionUse,
  protocol: Process,
  binding: SettingsBinding | undefined,
  context: BindingContext,
): Implementation {
  const name = ({ shell: "shell", js: "javascript", python: undefined, container: undefined } as const)[
    protocol.program
  ];
  const way = describeProtocol(protocol)!;
  if (name === undefined)
    return unsupported(use, `this target does not support functions that are reached ${way}`, context, {
      hint: "Bind it in the configuration to a module that runs it and returns `code`, `stdout` and `stderr`.",
    });
  if (!use.mayRunProcesses)
    return unsupported(use, "programs run no processes by default", context, {
      hint: "Write `processes: true` under `targets.typescript` in the configuration, or bind it to a module.",
    });
  if (binding) reportIneffective(binding.spans, ["timeout"], way, context.report);
  const timeout = numberCode(binding?.timeout);
  return { code: js.call(runtime(name), timeout ? [js.record({ timeout })] : []) };
}

function unsupported(
  use: FunctionUse,
  reason: string,
  { report }: BindingContext,
  { hint }: { readonly hint: string },
): Implementation {
  report(unusableOperation(use.span, { name: use.name, reason, hint }));
  return notImplemented(use, "It cannot be called.");
}

async function implementGrpcMethod(
  use: FunctionUse,
  protocol: Grpc,
  binding: SettingsBinding | undefined,
  context: BindingContext,
): Promise<Implementation> {
  const completed = grpcBinding(protocol, use.span, binding);
  if (!completed) return implementExternal(use, protocol, binding, context);
  if ("needs" in completed) return incomplete(use, completed, context);
  if (binding) reportIneffective(binding.spans, ["headers", "timeout", "server", "tls"], "by gRPC", context.report);
  return (await implementBinding(use, completed, context)) ?? notImplemented(use, "Its definition cannot be used.");
}

function implementExternal(
  use: FunctionUse,
  protocol: ExternalProtocol,
  binding: SettingsBinding | undefined,
  context: BindingContext,
): Implementation {
  const result = implementByProtocol(protocol, binding, context.report);
  if ("code" in result) return result;
  if ("reason" in result)
    return unsupported(use, result.reason, context, {
      hint: "Bind it in the configuration to a module, a URL, an `openapi` operation or a `grpc` method.",
    });
  return incomplete(use, result, context);
}

function incomplete(use: FunctionUse, missing: MissingSetting, context: BindingContext): Implementation {
  context.incomplete.push({ ...missing, use });
  const { protocol } = use;
  const subject = protocol?.kind === "cloudFunction" ? `It calls ${cloudFunctionName(protocol)}, which` : "It";
  return notImplemented(use, `${subject} needs ${missing.needs}, to be set in waybill.config.yaml.`);
}

async function implementBinding(
  use: FunctionUse,
  binding: Exclude<TypescriptBinding, { readonly kind: "settings" }>,
  context: BindingContext,
): Promise<Implementation | undefined> {
  switch (binding.kind) {
    case "module":
      await checkExports(binding, [binding.name], context, context.report);
      return await implementModule(use, binding, context);
    case "http":
      return implementHttp(binding.request, binding);
    case "openapi":
      return implementByOpenapi(use, binding, context);
    case "grpc":
      return (await import("./grpc.ts")).implementByGrpc(use, binding, context);
    default:
      return assertNever(binding);
  }
}

function implementBuiltIn({ kind }: BuiltIn, { names }: BindingContext): Implementation {
  return { code: runtime(kind, names.value(kind)) };
}

async function implementModule(
  { name }: FunctionUse,
  binding: TypescriptBinding & { readonly kind: "module" },
  context: BindingContext,
): Promise<Implementation> {
  const local = context.names.value(binding.name === "default" ? name : binding.name);
  const located = await locateModule(binding, context);
  context.modules.push(located);
  return { code: js.imported(binding.name, located.module, local) };
}

function implementHttp(request: string, settings: CallSettings | undefined): Implementation {
  const http = runtime("http");
  return { code: js.call(http, [js.literal(request), ...callOptions(settings)]) };
}

function unbound(use: FunctionUse, context: BindingContext): Implementation {
  context.unbound.push(use);
  return notImplemented(use, "Bind it in waybill.config.yaml.");
}

function notImplemented({ name }: FunctionUse, why: string): Implementation {
  const message = js.literal(`The function ${name} is not implemented. ${why}`);
  const error = runtime("WorkflowError");
  return {
    code: js.arrow([], [js.throwStatement(js.newExpression(error, [js.literal("NotImplemented"), message]))], {
      async: true,
    }),
  };
}
