import { ask } from "./query.ts";
import type { ObjectContext, Sdk } from "./sdk.ts";
import type { Setting } from "./serving.ts";
import type { Request } from "./transport.ts";

// Restate's ingress has no authentication, so the services of a program are private: only its own handlers can call
// them. The one public service is the gate, which forwards requests that are signed with a key in its state. Processes
// read the key through the admin interface.

/** The only key of the gate. */
export const gateKey = "all";

/** The name of the signing key in the gate's state. */
const secretName = "secret";

/** A handler of a private service. */
export interface Target {
  readonly service: string;
  readonly key: string;
  readonly method: string;
}

/** A request to forward. */
export interface GateRequest {
  readonly target: Target;
  readonly parameter: unknown;
  /** Whether the sender does not wait for the result. */
  readonly isSend: boolean;
  /** The HMAC-SHA256 of the request in base64. */
  readonly mac: string;
}

/** Creates a signed request. */
export function signedRequest(request: Omit<GateRequest, "mac">, secret: string): GateRequest {
  return { ...request, mac: macOf(request, secret) };
}

/** The handlers of the gate. They run concurrently, since they only read its state. */
export function gateHandlers({ names, alive }: Setting, { handlers, TerminalError }: Sdk) {
  const tell = async (ctx: ObjectContext, content: unknown): Promise<unknown> => {
    await alive();
    const secret = await ctx.get<string>(secretName);
    const request = requestIn(content);
    if (secret === null || request === undefined || !isSigned(request, secret))
      throw new TerminalError("The request is not signed with the key of the program.", { errorCode: 401 });
    const { target, parameter, isSend } = request;
    if (![names.book, names.outbox].includes(target.service))
      throw new TerminalError("The request is for another service.", { errorCode: 403 });
    const call = { ...target, parameter: new TextEncoder().encode(JSON.stringify(parameter)) };
    if (isSend) {
      ctx.genericSend(call);
      return null;
    }
    const result = await ctx.genericCall(call);
    const text = new TextDecoder().decode(result);
    return text === "" ? null : JSON.parse(text);
  };
  return { tell: handlers.object.shared(tell) };
}

/** A request in the body of a message; undefined if it is malformed. */
function requestIn(content: unknown): GateRequest | undefined {
  const { target, parameter, isSend, mac } = Object(content) as Partial<GateRequest>;
  const { service, key, method } = Object(target) as Partial<Target>;
  if (typeof service !== "string" || typeof key !== "string" || typeof method !== "string") return undefined;
  if (typeof mac !== "string") return undefined;
  return { target: { service, key, method }, parameter, isSend: isSend === true, mac };
}

function isSigned({ mac, ...request }: GateRequest, secret: string): boolean {
  const { timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(request, secret))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function macOf({ target, parameter, isSend }: Omit<GateRequest, "mac">, secret: string): string {
  const content = JSON.stringify([target.service, target.key, target.method, isSend, parameter]);
  return process.getBuiltinModule("node:crypto").createHmac("sha256", secret).update(content).digest("base64");
}

/** The signing key in the gate's state; undefined before a process has served the program. */
export async function secretOf(admin: string, gate: string, request: Request): Promise<string | undefined> {
  const where = `service_name = '${gate}' AND service_key = '${gateKey}' AND key = '${secretName}'`;
  const [row] = await ask(admin, `SELECT value_utf8 FROM state WHERE ${where}`, request);
  const text = row?.["value_utf8"];
  const secret: unknown = typeof text === "string" ? JSON.parse(text) : undefined;
  return typeof secret === "string" ? secret : undefined;
}

/** Generates the signing key of a new program. If several processes do so at once, the last key becomes valid. */
export async function provideSecret(admin: string, gate: string, request: Request): Promise<void> {
  if ((await secretOf(admin, gate, request)) !== undefined) return;
  const secret = process.getBuiltinModule("node:crypto").randomBytes(32).toString("base64url");
  const value = [...new TextEncoder().encode(JSON.stringify(secret))];
  const response = await request(`${admin}/services/${gate}/state`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ object_key: gateKey, new_state: { [secretName]: value } }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  for (let tries = 0; tries < maxTries; tries += 1) {
    if ((await secretOf(admin, gate, request)) !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const maxTries = 250;

/** Sends a signed request through the ingress. Reads the key again if the gate has another one. */
export function openGate(
  { admin, ingress }: { readonly admin: string; readonly ingress: string },
  gate: string,
  request: Request,
): (target: Target, parameter: unknown, isSend?: boolean) => Promise<Response> {
  let known: Promise<string | undefined> | undefined;
  return async (target, parameter, isSend = false) => {
    for (let isRepeated = false; ; isRepeated = true) {
      known ??= secretOf(admin, gate, request);
      const secret = await known.catch((reason: unknown) => {
        known = undefined;
        throw reason;
      });
      if (secret === undefined) known = undefined;
      const signed = signedRequest({ target, parameter, isSend }, secret ?? "");
      const response = await request(`${ingress}/${gate}/${gateKey}/tell`, postOf(signed));
      if (response.status !== 401 || isRepeated) return response;
      await response.body?.cancel();
      known = undefined;
    }
  };
}

/** Sends a signed request without waiting for a process that executes it. */
export async function sendToGate(
  { admin, ingress }: { readonly admin: string; readonly ingress: string },
  gate: string,
  request: Request,
  target: Target,
  parameter: unknown,
): Promise<boolean> {
  const secret = await secretOf(admin, gate, request);
  const signed = signedRequest({ target, parameter, isSend: true }, secret ?? "");
  const { ok } = await request(`${ingress}/${gate}/${gateKey}/tell/send`, postOf(signed));
  return ok && secret !== undefined;
}

const postOf = (body: GateRequest) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
