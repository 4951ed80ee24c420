import { fileURLToPath } from "node:url";
import type { ChannelCredentials, Client, Metadata, ServiceError } from "@grpc/grpc-js";
import { WorkflowError } from "../errors.ts";
import type { Step } from "../flow.ts";
import type { Json } from "../json.ts";
import { headerKey } from "./exchange.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";
import { checkInstalled, failLoading, headersOf, type Setting, textOf } from "./settings.ts";

/** A method of a gRPC service, and its address. */
export interface Method extends GrpcOptions {
  /** The folder that the names of .proto files are relative to. */
  readonly folder: URL;
  /** The .proto file. */
  readonly file: string;
  /** `package.Service`. */
  readonly service: string;
  readonly method: string;
  /** Host and port. */
  readonly address: Setting;
  /** If false, the connection is not encrypted. */
  readonly tls?: false;
}

/**
 * A function that calls a method of a gRPC service. Messages are in the JSON form of Protocol Buffers: names in camel
 * case, 64-bit integers, enumerations and bytes (base64) as strings; fields without a value have their default. Throws
 * an error with the name of the gRPC status, such as `NOT_FOUND`. The metadata `idempotency-key` lets the server
 * recognize repeated calls.
 */
export function grpc(binding: Method): Call {
  checkInstalled(...packageNames);
  let client: Promise<Client> | undefined;
  return local(async (argument, step) => {
    const packages = await loadPackages();
    client ??= connect(packages, binding);
    client.catch(() => {
      client = undefined;
    });
    return (await unary(packages, await client, binding, argument, step)) as never;
  });
}

/** The packages for gRPC, which only programs that need them have. */
export interface GrpcPackages {
  readonly grpc: typeof import("@grpc/grpc-js");
  readonly loader: typeof import("@grpc/proto-loader");
}

/** The names of these packages. */
export const packageNames = ["@grpc/grpc-js", "@grpc/proto-loader"] as const;

/** Loads the packages on the first call. */
export async function loadPackages(): Promise<GrpcPackages> {
  const [grpc, loader] = await Promise.all([
    import("@grpc/grpc-js").catch(failLoading("@grpc/grpc-js")),
    import("@grpc/proto-loader").catch(failLoading("@grpc/proto-loader")),
  ]);
  return { grpc, loader };
}

async function connect(packages: GrpcPackages, { folder, file, service, address, tls }: Method): Promise<Client> {
  const { grpc, loader } = packages;
  const definition = await loader.load(file, { ...jsonForm, includeDirs: [fileURLToPath(folder)] });
  const loaded = grpc.loadPackageDefinition(definition);
  let found: unknown = loaded;
  for (const part of service.split(".")) found = Object(found)[part];
  if (typeof found !== "function")
    throw new WorkflowError("ConfigurationError", `There is no service ${service} in ${file}.`);
  const Service = found as new (address: string, security: ChannelCredentials) => Client;
  return new Service(textOf(address), securityOf(packages, tls));
}

/** The options for messages in the JSON form of Protocol Buffers. */
export const jsonForm = { longs: String, enums: String, bytes: String, defaults: true } as const;

/** The credentials of a connection: encrypted by default. */
export const securityOf = ({ grpc: { credentials } }: GrpcPackages, tls: false | undefined): ChannelCredentials =>
  tls === false ? credentials.createInsecure() : credentials.createSsl();

function unary(
  packages: GrpcPackages,
  client: Client,
  { service, method, ...settings }: Method,
  argument: unknown,
  step: Step,
): Promise<Json> {
  const call = (client as unknown as { readonly [name: string]: Unary })[method];
  if (typeof call !== "function")
    throw new WorkflowError("ConfigurationError", `The service ${service} has no method ${method}.`);
  return answerOf(packages, (...rest) => call.call(client, argument, ...rest), settings, step);
}

/** A unary method of a client. */
type Unary = (this: Client, argument: unknown, ...rest: Parameters<Start>) => Started;

/** Sends one request; `answered` is called once. */
export type Start = (
  metadata: Metadata,
  options: { readonly deadline: number },
  answered: (error: ServiceError | null, answer?: object) => void,
) => Started;

interface Started {
  cancel(): void;
}

/** Options of the calls of a method. */
export interface GrpcOptions {
  readonly metadata?: { readonly [name: string]: Setting };
  /** The timeout in seconds; by default, that of the step, or else 300. */
  readonly timeout?: number;
  /** The prefix of the gRPC status in the name of an error; empty by default. */
  readonly failure?: string;
}

/** Resolves to the response to a request of a step; aborting the step cancels the request. */
export function answerOf(packages: GrpcPackages, start: Start, options: GrpcOptions, step: Step): Promise<Json> {
  const { key, signal } = step;
  const { metadata = {}, timeout = afterStep(step), failure = "" } = options;
  const sent = new packages.grpc.Metadata();
  for (const [name, value] of Object.entries(headersOf(metadata))) sent.set(name, value);
  sent.set("idempotency-key", headerKey(key));
  return new Promise((resolve, reject) => {
    const pending = start(sent, { deadline: Date.now() + timeout * 1000 }, (error, answer) => {
      signal.removeEventListener("abort", cancel);
      if (error) reject(signal.aborted ? signal.reason : failureOf(packages, error, failure));
      else resolve((answer as Json | undefined) ?? null);
    });
    const cancel = () => pending.cancel();
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
  });
}

/** The deadline sent to the server: later than the step's timeout, so that the step is what times out. */
const afterStep = ({ timeout }: Step): number => (timeout === undefined ? 300 : timeout + 1);

/** Converts a gRPC error to the failure of a call. */
export const failureOf = ({ grpc }: GrpcPackages, { code, details }: ServiceError, prefix: string): WorkflowError =>
  new WorkflowError(`${prefix}${grpc.status[code] ?? "UNKNOWN"}`, details, { data: { code } });
