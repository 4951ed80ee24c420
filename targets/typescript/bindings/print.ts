import {
  type Block,
  collectImports,
  type JsExpression,
  js,
  type ObjectLiteral,
  oneLine,
  printProgram,
  type TypeDeclaration,
  type TypeNode,
} from "../../../src/js-ast/index.ts";
import { redirectRuntimeImports, runtime, runtimeModule, runtimeType } from "../emit/runtime-imports.ts";
import type { CallSettings, EventBinding, Setting } from "./configuration.ts";
import type { BindingRequest, CallingWorkflow, FunctionsModule, FunctionUse, Implementation } from "./request.ts";

/** A function and its implementation. */
export interface ImplementedFunction {
  readonly use: FunctionUse;
  readonly implementation: Implementation;
}

/** A workflow with separate functions. */
export interface WorkflowFunctions {
  readonly workflow: CallingWorkflow;
  readonly implemented: readonly ImplementedFunction[];
}

/** Prints `functions.ts`. `types`: named types of documents. */
export function printModule(
  workflows: BindingRequest["workflows"],
  implemented: readonly ImplementedFunction[],
  own: readonly WorkflowFunctions[],
  {
    types,
    sinks,
    codec,
    runtime: importedRuntime,
  }: Pick<BindingRequest, "runtime"> & {
    readonly types: readonly TypeDeclaration[];
    readonly sinks: ObjectLiteral | undefined;
    readonly codec: ObjectLiteral | undefined;
  },
): string {
  const all = [...implemented, ...own.flatMap((each) => each.implemented)];
  const named = [...all.flatMap(({ implementation }) => implementation.types ?? []), ...types];
  const declarations: Block = [
    ...named.map((type) => ({ ...type, doc: oneLine(type.doc ?? "", 300) })),
    functionsDeclaration(workflows, implemented, own),
    ...(sinks === undefined ? [] : [sinksDeclaration(sinks)]),
    ...(codec === undefined ? [] : [codecDeclaration(codec)]),
  ];
  const head = js.comment("The functions that the workflows call, as waybill.config.yaml binds them.");
  const imports = redirectRuntimeImports(importedRuntime, collectImports(declarations));
  const text = printProgram([...imports, ...declarations], { types: true });
  return `${printProgram([head], { types: true })}\n${text}`;
}

/** A setting, as the runtime expects it: `"text"`, `{ env: "NAME", prefix: "Bearer " }`. */
export function settingCode(setting: Setting): JsExpression {
  if (typeof setting === "string") return js.literal(setting);
  const { env, prefix } = setting;
  return js.record({
    env: js.literal(env),
    prefix: prefix === undefined || prefix === "" ? undefined : js.literal(prefix),
  });
}

/** Headers, as the runtime expects them; undefined if empty. */
export function headersCode(headers: ReadonlyMap<string, Setting>): JsExpression | undefined {
  if (headers.size === 0) return undefined;
  return js.object(Array.from(headers, ([name, value]) => js.property(name, settingCode(value))));
}

/** The last argument of calls, if any. */
export function callOptions(settings: CallSettings | undefined): readonly JsExpression[] {
  const headers = headersCode(settings?.headers ?? new Map());
  const timeout = numberCode(settings?.timeout);
  return headers === undefined && timeout === undefined ? [] : [js.record({ headers, timeout })];
}

/** Wraps a function with limits: `limited(http("POST https://a.example/"), { concurrency: 10 })`. */
export function withLimits(implementation: Implementation, { limits }: Pick<CallSettings, "limits">): Implementation {
  if (!limits) return implementation;
  const numbers = js.record({ concurrency: numberCode(limits.concurrency), rate: numberCode(limits.rate) });
  const limited = runtime("limited");
  return { ...implementation, code: js.call(limited, [implementation.code, numbers]) };
}

/** An optional number as a literal. */
export const numberCode = (number: number | undefined): JsExpression | undefined =>
  number === undefined ? undefined : js.literal(number);

/** The sinks of emitted events by type, if any. */
export function sinksCode(
  types: ReadonlyMap<string, string>,
  bindings: ReadonlyMap<string, EventBinding>,
): ObjectLiteral | undefined {
  const sinks = new Map<string, JsExpression>();
  for (const [name, type] of types) {
    const binding = bindings.get(name);
    if (!binding) continue;
    const { sink, headers, timeout } = binding;
    sinks.set(type, js.record({ url: settingCode(sink), headers: headersCode(headers), timeout: numberCode(timeout) }));
  }
  if (sinks.size === 0) return undefined;
  return js.object(Array.from(sinks, ([type, sink]) => js.property(type, sink)));
}

/** The npm packages of the used runtime functions, in the tested versions. */
export function packagesOf(implementations: readonly Implementation[]): FunctionsModule["packages"] {
  const used = collectImports(implementations.map(({ code }) => code)).filter(({ module }) => module === runtimeModule);
  const names = used.flatMap((each) => each.names.map(({ name, exported }) => exported ?? name));
  return new Map(names.flatMap((name) => packagesFor[name] ?? []));
}

/** All packages that functions of the runtime load. */
export const packageVersions = (): readonly (readonly [name: string, version: string])[] =>
  Object.values(packagesFor).flatMap((packages) => packages ?? []);

const grpc = [
  ["@grpc/grpc-js", "1.14.7"],
  ["@grpc/proto-loader", "0.8.1"],
] as const;

const packagesFor: { readonly [name: string]: readonly (readonly [name: string, version: string])[] | undefined } = {
  grpc,
  reflected: grpc,
  mysql: [["mysql2", "3.24.6"]],
  postgres: [["pg", "8.23.1"]],
};

/**
 * `export const functions: OrderFunctions & ParcelFunctions = { charge };`, or with separate functions of a workflow:
 * `export const functions: OrderFunctions = withOwn<OrderFunctions>({ charge }, { parcel: { … } satisfies ParcelFunctions });`
 */
function functionsDeclaration(
  workflows: BindingRequest["workflows"],
  implemented: readonly ImplementedFunction[],
  own: readonly WorkflowFunctions[],
) {
  const type = intersection(workflows.map(interfaceOf));
  const shared = functionsObject(implemented);
  const separate = own.map((each) =>
    js.property(each.workflow.id, js.satisfies(functionsObject(each.implemented), interfaceOf(each.workflow))),
  );
  const withOwn = runtime("withOwn");
  const value = own.length === 0 ? shared : js.call(withOwn, [shared, js.object(separate)], type ? [type] : []);
  return js.constant("functions", value, {
    exported: true,
    type,
    doc: "Implementations of the functions that the workflows call.",
  });
}

const interfaceOf = ({ module, typeName }: CallingWorkflow): TypeNode => js.importedType("Functions", module, typeName);

const functionsObject = (implemented: readonly ImplementedFunction[]): ObjectLiteral =>
  js.object(
    implemented.map(({ use, implementation: { code, doc } }) =>
      js.property(use.methodName, code, doc === undefined ? undefined : oneLine(doc)),
    ),
  );

function intersection(types: readonly TypeNode[]): TypeNode | undefined {
  return types.length < 2 ? types[0] : { kind: "unionType", operator: "&", types };
}

function sinksDeclaration(sinks: ObjectLiteral) {
  const sink = runtimeType("Sink");
  return js.constant("sinks", sinks, {
    exported: true,
    type: js.objectType([js.indexSignature("type", sink)]),
    doc: "Sinks of emitted events by event type.",
  });
}

const codecDeclaration = (codec: ObjectLiteral) =>
  js.constant("codec", codec, {
    exported: true,
    type: runtimeType("Codec"),
    doc: "Encodes the stored data of runs.",
  });
