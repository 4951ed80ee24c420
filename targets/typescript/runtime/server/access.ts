import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";
import { signatureViolation, webhookIdOf } from "./signatures.ts";

/**
 * The permissions that routes require: sending events, starting runs, reporting about tasks and taking them, reading
 * runs, and changing or deleting them.
 */
export const scopes = ["events", "start", "tasks", "read", "manage"] as const;

/** One of these permissions. */
export type Scope = (typeof scopes)[number];

/** What a client must present, and what it may do then. */
export interface Credential {
  /** The bearer token; absent if the signature of the body is enough. */
  readonly token?: string | undefined;
  /** Keys for signatures of events (Standard Webhooks). Any one must have signed the body. */
  readonly secrets?: readonly Uint8Array[] | undefined;
  readonly may: readonly Scope[];
  /** The workflows whose runs and tasks may be started, answered, read and managed; default: all. */
  readonly workflows?: readonly string[] | undefined;
}

/** Who may use a server. */
export interface Access {
  /** A bearer token that permits everything. Without a token and credentials, anyone may use the server. */
  readonly token?: string | undefined;
  /** Further credentials. The function is called for each request, so they can change while the server runs. */
  readonly credentials?: (() => readonly Credential[]) | undefined;
  /** The accepted host names, without ports; default: any. This keeps out pages of other sites whose names lead here. */
  readonly hosts?: readonly string[] | undefined;
}

/** What a request may do. */
export interface Grant {
  readonly may: readonly Scope[];
  /** Undefined: all workflows. */
  readonly workflows?: readonly string[] | undefined;
  /** The keys of which one must have signed the body. */
  readonly secrets?: readonly Uint8Array[] | undefined;
}

/** Refuses requests that use another host name or come from a page of another site. */
export function requireOrigin(request: IncomingMessage, { hosts }: Access): void {
  const host = (request.headers.host ?? "").toLowerCase();
  if (hosts && !hosts.includes(host.replace(/:\d+$/, "")))
    throw new Refusal(421, "Another host", "The server does not answer to this host name.");
  const { origin } = request.headers;
  if (origin !== undefined && hostOf(origin) !== host)
    throw new Refusal(403, "Another site", "Requests from pages of other sites are not accepted.");
}

/** What the credentials of a request permit. Refuses requests without known credentials. */
export function grantOf(request: IncomingMessage, { token, credentials }: Access): Grant {
  if (token === undefined && credentials === undefined) return { may: scopes };
  const all: readonly Credential[] = [
    ...(token === undefined ? [] : [{ token, may: scopes }]),
    ...(credentials?.() ?? []),
  ];
  const { authorization } = request.headers;
  if (authorization === undefined) {
    const signers = all.filter((each) => each.token === undefined);
    const secrets = signers.flatMap((each) => each.secrets ?? []);
    if (secrets.length > 0 && webhookIdOf(request.headers) !== undefined) return { may: ["events"], secrets };
    throw unauthorized("The request needs a bearer token.", "Bearer");
  }
  const given = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
  const known = given === undefined ? undefined : credentialOf(given, all);
  if (known) return known;
  throw unauthorized("The bearer token is not valid.", `Bearer error="invalid_token"`);
}

/** Refuses a request whose credentials do not include a permission. */
export function requireScope({ may }: Grant, scope: Scope): void {
  if (!may.includes(scope)) throw forbidden(`The request needs the permission "${scope}".`, scope);
}

/** Whether credentials include a workflow. */
export const mayUse = ({ workflows }: Grant, workflow: string): boolean => workflows?.includes(workflow) ?? true;

/** Refuses a request whose credentials are limited to other workflows. */
export function requireWorkflow(grant: Grant, workflow: string): void {
  if (!mayUse(grant, workflow)) throw forbidden("The credentials of the request are limited to other workflows.");
}

/** Refuses a request whose credentials are limited to some workflows, for operations on all of them. */
export function requireAllWorkflows({ workflows }: Grant): void {
  if (workflows) throw forbidden("The request needs credentials that are not limited to some workflows.");
}

/** Refuses a body that is not signed although the credentials of the request demand it. */
export function requireSignature({ headers }: IncomingMessage, body: Uint8Array, { secrets }: Grant): void {
  if (secrets === undefined) return;
  const violation = signatureViolation(headers, body, secrets, Date.now());
  if (violation !== undefined) throw new Refusal(401, "Not signed", violation);
}

/** Generates a bearer token. It does not begin like an option of a command line. */
export const newToken = (): string =>
  process.getBuiltinModule("node:crypto").randomBytes(24).toString("base64url").replace(/^-/, "_");

/** The credential with a token. Every token is compared, each in constant time, so that timing reveals nothing. */
function credentialOf(given: string, credentials: readonly Credential[]): Credential | undefined {
  const { createHash, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const digestOf = (text: string) => createHash("sha256").update(text).digest();
  const digest = digestOf(given);
  let found: Credential | undefined;
  for (const credential of credentials) {
    if (credential.token !== undefined && timingSafeEqual(digestOf(credential.token), digest)) found ??= credential;
  }
  return found;
}

/** No credentials, or unknown ones (RFC 6750, section 3). */
const unauthorized = (detail: string, challenge: string): Refusal =>
  new Refusal(401, "No access", detail, { headers: { "www-authenticate": challenge } });

/** Known credentials that do not permit the request (RFC 6750, section 3.1). */
function forbidden(detail: string, scope?: Scope): Refusal {
  const challenge = `Bearer error="insufficient_scope"${scope === undefined ? "" : `, scope="${scope}"`}`;
  return new Refusal(403, "Not permitted", detail, { headers: { "www-authenticate": challenge } });
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
