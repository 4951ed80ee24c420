import type { Expression } from "../../expressions/index.ts";
import type { Oauth2Policy } from "../../generated/serverless-workflow-1.0-definition.ts";
import { isLocalServer, isSecretHeader } from "../../text/secrecy.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import type { Row } from "./arguments.ts";
import type { Context, Writer } from "./context.ts";
import { literalCredential, unencryptedSecrets } from "./diagnostics/references.ts";
import { looksLikeExpression } from "./expressions.ts";
import { embeddedExpressions } from "./interpolations.ts";
import { isFunctionBound } from "./names.ts";

/** A value of a definition and what it was lowered to. */
export interface LoweredMember {
  readonly owner: object;
  readonly key: string;
  readonly value: Expression;
  /** What the value saw. */
  readonly row: Row;
}

/** Reports a member of a basic or bearer policy that is a literal secret. */
export function checkMember(context: Context, member: LoweredMember): void {
  if (member.key === "password" || member.key === "token") reportText(context, member, member.key);
}

/** Reports a header that is a literal secret. */
export function checkHeader(context: Context, header: LoweredMember): void {
  if (isSecretHeader(header.key)) reportText(context, header, "KEY");
}

function reportText(context: Context, { owner, key, value, row }: LoweredMember, part: string): void {
  if (!isText(value, row)) return;
  const hint = `Define a secret under \`use.secrets\`, and write \`\${ $secrets.NAME.${part} }\`.`;
  context.report(literalCredential(spanOf(context, owner, key), { name: key, hint }));
}

/** Whether a value is a string, and not an expression in a wrong form, which is reported elsewhere. */
function isText(value: Expression, row: Row): boolean {
  if (value.kind !== "literal" || typeof value.value !== "string") return false;
  const text = value.value.trim();
  return text !== "" && !embeddedExpressions(text) && !looksLikeExpression(text, row);
}

/** Reports the secrets in a policy of OAuth 2.0, whose members are constants. */
export function checkClient(context: Context, policy: Oauth2Policy): void {
  const { client, grant, password } = policy;
  const hint = "Define the policy as a secret under `use.secrets`, write `use: NAME`, and bind the function.";
  const report = (owner: object, key: string) =>
    context.report(literalCredential(spanOf(context, owner, key), { name: key, hint }));
  if (client?.secret) report(client, "secret");
  if (grant === "password" && password) report(policy, "password");
}

/** Reports an address to which secrets would be sent unencrypted, unless a function of the configuration is called. */
export function checkEncryption(writer: Writer, address: string, span: Span, what: string): void {
  if (!/^http:/i.test(address) || isLocalServer(address) || isFunctionBound(writer)) return;
  writer.context.report(unencryptedSecrets(span, { what }));
}
