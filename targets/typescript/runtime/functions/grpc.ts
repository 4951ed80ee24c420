import { fileURLToPath } from "node:url";
import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { load } from "@grpc/proto-loader";
import { WorkflowError } from "../errors.ts";
import type { Step } from "../flow.ts";
import type { Json } from "../json.ts";
import { headerKey } from "./exchange.ts";
import type { Call } from "./http.ts";
import { headersOf, type Setting, textOf } from "./settings.ts";

/** A method of a gRPC service, and where it is. */
export interface Method {
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
  readonly metadata?: { readonly [name: string]: Setting };
  /** Seconds; 300 when absent. */
  readonly timeout?: number;
}

/**
 * A function that is a method of a gRPC service. Messages are as in the JSON form of Protocol Buffers: names in camel case, 64-bit integers, enumerations
 * and bytes (base64) as strings; fields without a value have their default. Fails with the name of the gRPC status, such as `NOT_FOUND`. The server can
 * tell calls that are made again by the metadata `idempotency-key`.
 */
export function grpc(binding: Method): Call {
  let client: Promise<Client> | undefined;
  return async (argument, step) => {
    client ??= connect(binding);
    client.catch(() => {
      client = undefined;
    });
    return (await unary(await client, binding, argument, step)) as never;
  };
}

async function connect({ folder, file, service, address, tls }: Method): Promise<Client> {
  const options = { longs: String, enums: String, bytes: String, defaults: true, includeDirs: [fileURLToPath(folder)] };
  const loaded = loadPackageDefinition(await load(file, options));
  let found: unknown = loaded;
  for (const part of service.split(".")) found = Object(found)[part];
  if (typeof found !== "function")
    throw new WorkflowError("ConfigurationError", `There is no service ${service} in ${file}.`);
  const Service = found as new (address: string, security: ReturnType<typeof credentials.createSsl>) => Client;
  return new Service(textOf(address), tls === false ? credentials.createInsecure() : credentials.createSsl());
}

function unary(
  client: Client,
  { service, method, metadata = {}, timeout = 300 }: Method,
  argument: unknown,
  step: Step,
): Promise<Json> {
  const sent = new Metadata();
  for (const [name, value] of Object.entries(headersOf(metadata))) sent.set(name, value);
  sent.set("idempotency-key", headerKey(step.key));
  const deadline = Date.now() + timeout * 1000;
  return new Promise((resolve, reject) => {
    const call = (client as unknown as { readonly [name: string]: Unary })[method];
    if (typeof call !== "function")
      throw new WorkflowError("ConfigurationError", `The service ${service} has no method ${method}.`);
    const answered = (error: ServiceError | null, answer?: Json) => {
      step.signal.removeEventListener("abort", cancel);
      if (error) reject(step.signal.aborted ? step.signal.reason : failureOf(error));
      else resolve(answer ?? null);
    };
    const pending = call.call(client, argument, sent, { deadline }, answered);
    const cancel = () => pending.cancel();
    step.signal.addEventListener("abort", cancel);
    if (step.signal.aborted) cancel();
  });
}

/** The method of a client for one request and one answer. */
type Unary = (
  this: Client,
  argument: unknown,
  metadata: Metadata,
  options: { readonly deadline: number },
  answered: (error: ServiceError | null, answer?: Json) => void,
) => { cancel(): void };

const failureOf = ({ code, details }: ServiceError): WorkflowError =>
  new WorkflowError(status[code] ?? "UNKNOWN", details, { data: { code } });
