import { fileURLToPath } from "node:url";
import type { ChannelCredentials, Client, Metadata, ServiceError } from "@grpc/grpc-js";
import { WorkflowError } from "../errors.ts";
import type { Step } from "../flow.ts";
import type { Json } from "../json.ts";
import { headerKey } from "./exchange.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";
import { checkInstalled, failLoading, headersOf, type Setting, textOf } from "./settings.ts";

/** A method of a gRPC service, and where it is. */
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
  /** False: the connection is not encrypted. */
  readonly tls?: false;
}

/**
 * A function that is a method of a gRPC service. Messages are as in the JSON form of Protocol Buffers: names in camel case, 64-bit integers, enumerations
 * and bytes (base64) as strings; fields without a value have their default. Fails with the name of the gRPC status, such as `NOT_FOUND`. The server can
 * tell calls that are made again by the metadata `idempotency-key`.
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

/** The packages that speak gRPC, which a program has only where it needs them. */
export interface GrpcPackages {
  readonly grpc: typeof import("@grpc/grpc-js");
  readonly loader: typeof import("@grpc/proto-loader");
}

/** Their names. */
export const packageNames = ["@grpc/grpc-js", "@grpc/proto-loader"] as const;

/** Loads them with the first call. */
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

/** How messages are read, so that they are as in the JSON form of Protocol Buffers. */
export const jsonForm = { longs: String, enums: String, bytes: String, defaults: true } as const;

/** How a connection is secured: encrypted, but where it is said not to be. */
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

/** The method of a client for one request and one answer. */
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

/** What is set about the calls of a method. */
export interface GrpcOptions {
  readonly metadata?: { readonly [name: string]: Setting };
  /** Seconds; when absent, as many as the step allows, or 300. */
  readonly timeout?: number;
  /** What comes before the gRPC status in the name of a failure; nothing when absent. */
  readonly failure?: string;
}

/** The answer to a request that is sent for a step; the request is cancelled when the step is cut off. */
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

/** A deadline that a server is told: behind the step's own, so that it is the step that takes too long. */
const afterStep = ({ timeout }: Step): number => (timeout === undefined ? 300 : timeout + 1);

/** A gRPC error as the failure of a call. */
export const failureOf = ({ grpc }: GrpcPackages, { code, details }: ServiceError, prefix: string): WorkflowError =>
  new WorkflowError(`${prefix}${grpc.status[code] ?? "UNKNOWN"}`, details, { data: { code } });
