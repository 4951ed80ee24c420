import type { Client, ServiceError } from "@grpc/grpc-js";
import type { MethodDefinition, PackageDefinition } from "@grpc/proto-loader";
import { WorkflowError } from "../errors.ts";
import type { Json } from "../json.ts";
import { memberOf, plainText } from "./address.ts";
import {
  answerOf,
  failureOf,
  type GrpcOptions,
  type GrpcPackages,
  jsonForm,
  loadPackages,
  packageNames,
  type Start,
  securityOf,
} from "./grpc.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";
import { checkInstalled } from "./settings.ts";

/** The fixed options of the calls of a function. */
export interface ReflectedOptions extends GrpcOptions {
  /** If false, connections are not encrypted. */
  readonly tls?: false;
}

/**
 * A function whose argument is the call: `{ endpoint, method, headers, body }` with the method as
 * `package.Service/Method` and the body as JSON or its source text. The server describes its messages by reflection
 * (`grpc.reflection.v1`, or else `v1alpha`); they are in the JSON form of Protocol Buffers. Throws an error with the
 * name of the gRPC status, or `INVALID_REFLECTION_SERVER_RESPONSE` if the server does not describe the service.
 */
export function reflected(options: ReflectedOptions = {}): Call {
  checkInstalled(...packageNames);
  // Definitions contain the endpoints, so they are few.
  const servers = new Map<string, Server>();
  return local(async (argument, step) => {
    const { endpoint, service, method, headers, body } = callIn(argument as Json);
    const packages = await loadPackages();
    const server = servers.get(endpoint) ?? serverAt(packages, endpoint, options);
    servers.set(endpoint, server);
    const found = await methodOf(server, service, method, options);
    const metadata = { ...headers, ...options.metadata };
    const { path, requestSerialize, responseDeserialize } = found;
    return (await answerOf(
      packages,
      (...rest) => server.client.makeUnaryRequest(path, requestSerialize, responseDeserialize, body, ...asSent(rest)),
      { ...options, metadata },
      step,
    )) as never;
  });
}

const asSent = ([metadata, options, answered]: Parameters<Start>) =>
  [metadata, options, (error: ServiceError | null, answer?: object) => answered(error, answer)] as const;

/** A server and the descriptions of its services. A description that failed is requested again. */
interface Server {
  readonly packages: GrpcPackages;
  readonly reader: Reader;
  readonly client: Client;
  readonly services: Map<string, Promise<PackageDefinition>>;
}

const serverAt = (packages: GrpcPackages, endpoint: string, { tls }: ReflectedOptions): Server => ({
  packages,
  reader: readerWith(packages),
  client: new packages.grpc.Client(endpoint, securityOf(packages, tls)),
  services: new Map(),
});

interface Called {
  readonly endpoint: string;
  readonly service: string;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: object;
}

function callIn(argument: Json): Called {
  const text = (member: string): string => plainText(memberOf(argument, member) ?? "");
  const [service = "", method = ""] = text("method").replace(/^\//, "").split("/");
  const endpoint = text("endpoint");
  if (endpoint === "" || service === "" || method === "")
    throw new WorkflowError(
      "ArgumentError",
      "The argument has no endpoint, or no method like `package.Service/Method`.",
    );
  const headers = Object.entries(Object(memberOf(argument, "headers") ?? {}) as { [name: string]: Json });
  return {
    endpoint,
    service,
    method,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), plainText(value)])),
    body: messageIn(memberOf(argument, "body") ?? null),
  };
}

function messageIn(body: Json): object {
  const value: unknown = typeof body === "string" && body.trim() !== "" ? parsed(body) : body;
  if (value === null || value === "") return {};
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw new WorkflowError("ArgumentError", "The body is no object of JSON.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WorkflowError("ArgumentError", "The body is no object of JSON.");
  }
}

async function methodOf(
  server: Server,
  service: string,
  method: string,
  { failure = "" }: ReflectedOptions,
): Promise<MethodDefinition<object, object>> {
  const { services } = server;
  const asked = services.get(service) ?? described(server, service, failure);
  services.set(service, asked);
  asked.catch(() => services.delete(service));
  const definition = (await asked)[service];
  const found =
    definition && !("format" in definition) && Object.hasOwn(definition, method) ? definition[method] : undefined;
  if (!found) throw new WorkflowError(`${failure}UNIMPLEMENTED`, `The service ${service} has no method ${method}.`);
  if (found.requestStream || found.responseStream)
    throw new WorkflowError(`${failure}UNIMPLEMENTED`, `${service}/${method} sends or takes a stream.`);
  return found;
}

/** The description of a service: its file and the files that it imports. */
async function described(server: Server, service: string, failure: string): Promise<PackageDefinition> {
  const { headOf } = server.reader;
  const files = new Map<string, Buffer>();
  const take = (given: readonly Buffer[]) => {
    for (const file of given) files.set(headOf(file).name, file);
  };
  const invalid = (message: string) => new WorkflowError(`${failure}INVALID_REFLECTION_SERVER_RESPONSE`, message);
  const ask = async (question: object) => {
    const { fileDescriptorResponse, errorResponse } = await reflection(server, question, failure);
    if (!fileDescriptorResponse)
      throw invalid(errorResponse?.errorMessage ?? "The server does not describe its services.");
    take(fileDescriptorResponse.fileDescriptorProto);
  };
  await ask({ fileContainingSymbol: service });
  const missingIn = () =>
    [...files.values()].flatMap((file) => headOf(file).dependency.filter((name) => !files.has(name)));
  for (let missing = missingIn(); missing.length > 0; missing = missingIn()) {
    const known = files.size;
    for (const name of missing) await ask({ fileByFilename: name });
    if (files.size === known) throw invalid(`The server does not describe ${missing[0]}.`);
  }
  const definition = server.packages.loader.loadFileDescriptorSetFromBuffer(setOf([...files.values()]), jsonForm);
  if (!Object.hasOwn(definition, service)) throw invalid(`The server does not describe ${service}.`);
  return definition;
}

/** Encodes files as a `FileDescriptorSet`: each as field 1, with its length. */
function setOf(files: readonly Buffer[]): Buffer {
  return Buffer.concat(files.flatMap((file) => [Buffer.from([0x0a]), lengthOf(file), file]));
}

function lengthOf({ length }: Buffer): Buffer {
  const bytes: number[] = [];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

interface Reflection {
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Buffer[] };
  readonly errorResponse?: { readonly errorMessage: string };
}

/** Sends one request to the server's reflection service. */
async function reflection(server: Server, question: object, failure: string): Promise<Reflection> {
  for (const version of ["v1", "v1alpha"]) {
    const answer = await answered(
      server,
      `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      question,
    );
    if (!("code" in answer)) return answer;
    if (failureOf(server.packages, answer, "").name !== "UNIMPLEMENTED")
      throw failureOf(server.packages, answer, failure);
  }
  return { errorResponse: { errorMessage: "The server has no reflection." } };
}

function answered({ client, reader }: Server, path: string, question: object): Promise<Reflection | ServiceError> {
  const { requestSerialize, responseDeserialize } = reader.asking;
  return new Promise((resolve) => {
    const stream = client.makeBidiStreamRequest<object, object>(path, requestSerialize, responseDeserialize, {
      deadline: Date.now() + 60_000,
    });
    stream.on("data", (answer: Reflection) => resolve(answer));
    stream.on("error", (error: ServiceError) => resolve(error));
    stream.on("end", () => resolve({}));
    stream.write(question);
    stream.end();
  });
}

/** The messages of the reflection service. */
interface Reader {
  readonly asking: MethodDefinition<object, object>;
  /** The decoded members of a file's description: its name and its imports. */
  headOf(file: Buffer): { readonly name: string; readonly dependency: readonly string[] };
}

function readerWith({ loader }: GrpcPackages): Reader {
  const methods = loader.fromJSON(protocol, { arrays: true })["Reflection"] as unknown as Methods;
  const { ask, read } = methods;
  return { asking: ask, headOf: (file) => read.responseDeserialize(file) as never };
}

interface Methods {
  readonly ask: MethodDefinition<object, object>;
  readonly read: MethodDefinition<object, object>;
}

const protocol = {
  nested: {
    Question: {
      oneofs: { question: { oneof: ["fileByFilename", "fileContainingSymbol"] } },
      fields: {
        fileByFilename: { type: "string", id: 3 },
        fileContainingSymbol: { type: "string", id: 4 },
      },
    },
    Files: { fields: { fileDescriptorProto: { rule: "repeated", type: "bytes", id: 1 } } },
    Refusal: { fields: { errorMessage: { type: "string", id: 2 } } },
    Answer: {
      fields: {
        fileDescriptorResponse: { type: "Files", id: 4 },
        errorResponse: { type: "Refusal", id: 7 },
      },
    },
    File: {
      fields: {
        name: { type: "string", id: 1 },
        dependency: { rule: "repeated", type: "string", id: 3 },
      },
    },
    Reflection: {
      methods: {
        ask: { requestType: "Question", responseType: "Answer", comment: "" },
        read: { requestType: "Question", responseType: "File", comment: "" },
      },
    },
  },
};
