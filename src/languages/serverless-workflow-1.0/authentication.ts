import { binary, type Expression, literal } from "../../expressions/index.ts";
import type { Authentication, Oauth2Policy } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { Credential, OAuth2 } from "../../ir/protocols.ts";
import { type Json, type JsonObject, own } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import type { Row } from "./arguments.ts";
import type { Context, Writer } from "./context.ts";
import { checkCredential, checkEncryption, checkMember } from "./credentials.ts";
import {
  assumedTokenEndpoint,
  computedAuthentication,
  unknownComponent,
  unsupportedAuthentication,
} from "./diagnostics/references.ts";
import { hasExpression, templateAt } from "./expressions.ts";
import { isFunctionBound } from "./names.ts";
import { jqProgram } from "./programs.ts";
import { checkSecret, type SecretReads, secretOf } from "./secrets.ts";

const base64 = jqProgram("@base64");

/** How a request is authenticated: by a header of the argument, by a token that the target fetches, or by a binding. */
export type RequestAuthentication =
  | { readonly kind: "header"; readonly value: Expression }
  | { readonly kind: "token"; readonly policy: OAuth2 }
  | { readonly kind: "binding" };

/** How requests of a policy are authenticated; undefined without one. */
export function authenticationOf(
  writer: Writer,
  written: Authentication | undefined,
  secrets: SecretReads,
): RequestAuthentication | undefined {
  const { context } = writer;
  const { row } = secrets;
  const policy = written && policyOf(context, written);
  if (!policy) return undefined;
  const [kind = "", owner = {}] = Object.entries(policy)[0] ?? [];
  const { use } = owner as { readonly use?: string };
  const part = (key: string): Expression => {
    if (use !== undefined) return secrets.read(use, key);
    if (!Object.hasOwn(owner, key)) return literal("");
    const value = templateAt(context, { owner, key }, row);
    checkMember(context, { owner, key, value, row });
    return value;
  };
  switch (kind) {
    case "basic": {
      const credentials = binary("+", binary("+", part("username"), literal(":")), part("password"));
      return { kind: "header", value: binary("+", literal("Basic "), base64(credentials)) };
    }
    case "bearer":
      return { kind: "header", value: binary("+", literal("Bearer "), part("token")) };
    case "oauth2":
    case "oidc":
      return tokenOf(writer, owner as Oauth2Policy, kind, row);
    default:
      return needsBinding(writer, spanOf(context, policy, kind, "key"), `\`${kind}\``);
  }
}

/** A policy that only a function of the configuration can follow; an error if none is bound. */
function needsBinding(writer: Writer, span: Span, what: string): RequestAuthentication {
  if (!isFunctionBound(writer)) writer.context.report(unsupportedAuthentication(span, { what }));
  return { kind: "binding" };
}

/** Properties of OAuth 2.0 policies that change the request of the token. */
const unsupportedParts = ["issuers", "subject", "actor"];

/** The first property of a policy that Waybill does not follow, and where it is. */
function unsupportedPart(policy: Oauth2Policy): readonly [owner: object, key: string] | undefined {
  const part = unsupportedParts.find((key) => Object.hasOwn(policy, key));
  if (part !== undefined) return [policy, part];
  const { client, request, grant } = policy;
  if (client?.assertion !== undefined) return [client, "assertion"];
  const user = grant === "client_credentials" && ["username", "password"].find((key) => Object.hasOwn(policy, key));
  if (user) return [policy, user];
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(
    request?.encoding ?? "application/x-www-form-urlencoded",
  );
  return request && !isForm ? [request, "encoding"] : undefined;
}

function policyOf(context: Context, written: Authentication): Authentication | undefined {
  if (written.use === undefined) return written;
  const known = context.definition.use?.authentications ?? {};
  const found = own(known, written.use);
  if (found) return found;
  const span = spanOf(context, written, "use");
  const names = Object.keys(known);
  context.report(
    unknownComponent(span, { noun: "authentication", name: written.use, known: names, under: "use.authentications" }),
  );
  return undefined;
}

/**
 * A policy whose address and grant are constants of the definition, and whose credentials are constants or secrets;
 * others need a binding.
 */
function tokenOf(writer: Writer, policy: Oauth2Policy, kind: "oauth2" | "oidc", row: Row): RequestAuthentication {
  const { context } = writer;
  const { authority, grant, client, scopes = [], audiences = [] } = policy;
  const { authentication: clientAuthentication = "client_secret_post" } = client ?? {};
  const span = spanOf(context, policy);
  if (policy.use !== undefined) checkSecret(context, policy.use, spanOf(context, policy, "use"));
  if (policy.use !== undefined || authority === undefined || hasExpression(withoutCredentials(policy)))
    return needsConstants(writer, span, kind);
  if (grant !== "client_credentials" && grant !== "password")
    return needsBinding(writer, span, `The grant \`${grant ?? ""}\``);
  if (clientAuthentication !== "client_secret_post" && clientAuthentication !== "client_secret_basic")
    return needsBinding(writer, span, `\`${clientAuthentication}\``);
  const part = unsupportedPart(policy);
  if (part) return needsBinding(writer, spanOf(context, ...part, "key"), `\`${part[1]}\``);
  const id = credentialAt(context, client, "id", row);
  const secret = client?.secret === undefined ? "absent" : credentialAt(context, client, "secret", row);
  const name = credentialAt(context, policy, "username", row);
  const password = credentialAt(context, policy, "password", row);
  if (!id || !secret || !name || !password) return needsConstants(writer, span, kind);
  const path = own(policy.endpoints ?? {}, "token") ?? "/oauth2/token";
  const endpoint = authority.replace(/\/$/, "") + path;
  if (kind === "oidc" && policy.endpoints?.["token"] === undefined)
    context.report(assumedTokenEndpoint(spanOf(context, policy, "authority"), { endpoint }));
  if (client && secret !== "absent") checkCredential(context, client, "secret", secret);
  if (grant === "password") checkCredential(context, policy, "password", password);
  checkEncryption(writer, endpoint, spanOf(context, policy, "authority"), "The request for a token");
  return {
    kind: "token",
    policy: {
      kind: "oauth2",
      grant,
      endpoint,
      client: {
        id,
        secret: secret === "absent" ? undefined : secret,
        place: clientAuthentication === "client_secret_basic" ? "header" : "body",
      },
      user: grant === "password" ? { name, password } : undefined,
      scopes,
      audiences,
      failure: "authentication",
    },
  };
}

/** The parts of a policy that are constants. */
function withoutCredentials({ username: _, password: __, client, ...others }: Oauth2Policy): Json {
  const { id: ___, secret: ____, ...clientOthers } = client ?? {};
  return { ...others, client: clientOthers } as JsonObject;
}

/** A policy with too few constants to obtain a token: the function needs a binding, and has no other implementation. */
function needsConstants(writer: Writer, span: Span, kind: string): RequestAuthentication {
  if (!isFunctionBound(writer)) writer.context.report(computedAuthentication(span, { kind }));
  return { kind: "binding" };
}

/** A constant, or one secret; undefined for other expressions. */
function credentialAt(context: Context, owner: object | undefined, key: string, row: Row): Credential | undefined {
  if (!owner || !Object.hasOwn(owner, key)) return { kind: "text", text: "" };
  const value = templateAt(context, { owner, key }, row);
  if (value.kind === "literal") return { kind: "text", text: String(value.value ?? "") };
  const secret = secretOf(value);
  if (!secret) return undefined;
  checkSecret(context, secret.id, spanOf(context, owner, key));
  return { kind: "secret", ...secret };
}
