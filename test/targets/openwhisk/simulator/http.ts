import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { ActivationScope } from "../../../../targets/openwhisk/simulator/activation-scope.ts";
import { activationRecord } from "../../../../targets/openwhisk/simulator/client.ts";
import {
  type Action,
  type Entities,
  type Exec,
  type Limits,
  PlatformError,
  putAction,
  putRule,
  requireName,
} from "../../../../targets/openwhisk/simulator/entities.ts";
import type { Platform } from "../../../../targets/openwhisk/simulator/platform.ts";

/** A request to the API. */
interface Request {
  readonly method: string;
  /** The fully qualified name in the URL. */
  readonly name: string;
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

type Reply = readonly [status: number, body: Json];

/** The longest time that a blocking invocation waits, in milliseconds. */
const maxWaitMs = 60_000;

/** Serves the part of the REST API of OpenWhisk that clients need. */
export async function serve(
  platform: Platform,
  scope: ActivationScope,
): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer(async (incoming, outgoing) => {
    const [status, body] = await handle(incoming, platform, scope).catch((error: Error): Reply => {
      return [error instanceof PlatformError ? error.statusCode : 500, { error: error.message, code: "stand-in" }];
    });
    outgoing.writeHead(status, { "content-type": "application/json" });
    outgoing.end(status === 204 ? "" : JSON.stringify(body));
  });
  await new Promise<void>((serveRedis) => server.listen(0, "127.0.0.1", serveRedis));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function handle(incoming: IncomingMessage, platform: Platform, scope: ActivationScope): Promise<Reply> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const { pathname, searchParams: query } = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const [, , , namespace = "_", collection, ...rest] = pathname.slice(1).split("/").map(decodeURIComponent);
  const text = Buffer.concat(pieces).toString();
  const body: unknown = text === "" ? {} : JSON.parse(text);
  const name =
    rest.length > 0 && collection !== "activations"
      ? requireName(platform.entities, `/${[namespace, ...rest].join("/")}`)
      : "";
  const request = { method: incoming.method ?? "GET", name, rest, query, body: isObject(body) ? body : {} };
  switch (collection) {
    case "actions":
      return request.method === "POST"
        ? invokeAction(request, platform, scope)
        : actionReply(request, platform.entities);
    case "packages":
      return packageReply(request, platform.entities);
    case "triggers":
      return triggerReply(request, platform, scope);
    case "rules":
      return ruleReply(request, platform.entities);
    case "activations":
      return activationReply(request, platform);
    default:
      return notFound;
  }
}

const notFound: Reply = [404, { error: "The requested resource does not exist.", code: "stand-in" }];
const conflict: Reply = [409, { error: "resource already exists", code: "stand-in" }];

function actionReply({ method, name, query, body }: Request, entities: Entities): Reply {
  const known = entities.actions.get(name);
  if (method === "PUT") {
    if (known && query.get("overwrite") !== "true") return conflict;
    const given = (member: string) => (own(body, member) === undefined ? undefined : objectOf(own(body, member)));
    const made = putAction(entities, name, {
      exec: own(body, "exec") === undefined && known ? known.exec : execIn(own(body, "exec")),
      limits: { ...known?.limits, ...(own(body, "limits") as Partial<Limits> | undefined) },
      annotations: given("annotations") ?? known?.annotations,
      parameters: given("parameters") ?? known?.parameters,
    });
    return [200, shownAction(made)];
  }
  if (name === "") return [200, [...entities.actions.values()].map(shownAction)];
  if (!known) return notFound;
  if (method === "DELETE") entities.actions.delete(name);
  return [200, shownAction(known)];
}

function execIn(exec: Json | undefined): Exec {
  const { kind, code, components, main = "main", binary } = (exec ?? {}) as { readonly [name: string]: Json };
  if (kind === "sequence") return { kind, components: components as readonly string[] };
  if (typeof code !== "string" || binary === true || !String(kind).startsWith("nodejs"))
    throw new PlatformError(400, `There is no runtime here for the kind ${kind}.`);
  return { kind: "code", runtime: String(kind), code, main: String(main) };
}

const shownAction = ({ name, version, exec, limits, annotations, parameters }: Action): JsonObject => ({
  ...splitName(name),
  version,
  exec: exec.kind === "code" ? { kind: exec.runtime, code: exec.code } : { kind: exec.kind },
  limits: { ...limits },
  annotations: listOf(annotations),
  parameters: listOf(parameters),
});

/** `/guest/p/f` → `f` in `guest/p` */
function splitName(name: string): JsonObject {
  const segments = name.slice(1).split("/");
  return { namespace: segments.slice(0, -1).join("/"), name: segments.at(-1)!, publish: false };
}

/** Invokes an action; a blocking request waits for its result. */
async function invokeAction(
  { name, query, body }: Request,
  platform: Platform,
  scope: ActivationScope,
): Promise<Reply> {
  const { activationId, ended } = platform.invoke(name, body, scope);
  const onlyResult = query.get("result") === "true";
  if (query.get("blocking") !== "true" && !onlyResult) return [202, { activationId }];
  const late = new AbortController();
  const patience = scope.environment.sleep(maxWaitMs / 1000, late.signal).then(
    () => undefined,
    () => undefined,
  );
  const activation = await Promise.race([ended, patience]);
  late.abort();
  if (!activation) return [202, { activationId }];
  const { statusCode, result } = activation.response;
  return [statusCode === 0 ? 200 : 502, onlyResult ? (result as Json) : activationRecord(activation)];
}

function packageReply({ method, name, body }: Request, { packages }: Entities): Reply {
  if (method === "PUT") {
    const { namespace, name: bound } = (own(body, "binding") ?? {}) as { readonly [name: string]: string };
    const binding = bound === undefined ? undefined : `/${namespace}/${bound}`;
    packages.set(name, { name, parameters: objectOf(own(body, "parameters")), binding });
  }
  if (name === "") return [200, [...packages.keys()].map(splitName)];
  if (!packages.has(name)) return notFound;
  if (method === "DELETE") packages.delete(name);
  return [200, { ...splitName(name), annotations: [], actions: [], feeds: [] }];
}

function triggerReply({ method, name, query, body }: Request, platform: Platform, scope: ActivationScope): Reply {
  const { triggers } = platform.entities;
  const known = triggers.get(name);
  if (method === "PUT") {
    if (known && query.get("overwrite") !== "true") return conflict;
    const [parameters, annotations] = [objectOf(own(body, "parameters")), objectOf(own(body, "annotations"))];
    triggers.set(name, { name, parameters, annotations });
    return [200, splitName(name)];
  }
  if (name === "") return [200, [...triggers.keys()].map(splitName)];
  if (!known) return notFound;
  if (method === "POST") {
    const { activationId } = platform.fire(name, body, scope);
    return activationId === undefined ? [204, {}] : [202, { activationId }];
  }
  if (method === "DELETE") triggers.delete(name);
  return [200, { ...splitName(name), parameters: listOf(known.parameters), annotations: listOf(known.annotations) }];
}

function ruleReply({ method, name, query, body }: Request, entities: Entities): Reply {
  const { rules } = entities;
  const known = rules.get(name);
  if (method === "PUT") {
    if (known && query.get("overwrite") !== "true") return conflict;
    putRule(entities, name, { trigger: String(own(body, "trigger")), action: String(own(body, "action")) });
    return [200, splitName(name)];
  }
  if (name === "") return [200, [...rules.keys()].map(splitName)];
  if (!known) return notFound;
  if (method === "POST") rules.set(name, { ...known, isActive: own(body, "status") === "active" });
  if (method === "DELETE") rules.delete(name);
  return [200, { ...splitName(name), status: known.isActive ? "active" : "inactive" }];
}

function activationReply({ rest: [id, part] }: Request, { activations }: Platform): Reply {
  if (id === undefined) return [200, [...activations.values()].reverse().map(activationRecord)];
  const known = activations.get(id);
  if (!known) return notFound;
  const record = activationRecord(known);
  if (part === "result") return [200, record["response"]!];
  return [200, part === "logs" ? { logs: record["logs"]! } : record];
}

/** `[{ key, value }]` as an object. */
const objectOf = (list: Json | undefined): JsonObject =>
  Object.fromEntries(((list ?? []) as readonly { key: string; value: Json }[]).map(({ key, value }) => [key, value]));
const listOf = (object: JsonObject): readonly Json[] => Object.entries(object).map(([key, value]) => ({ key, value }));
