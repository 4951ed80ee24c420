import type { Expression } from "../../expressions/index.ts";
import type { Credential } from "../../ir/protocols.ts";
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

/** Reports a credential of OAuth 2.0 that is a literal secret. */
export function checkCredential(context: Context, owner: object, key: string, credential: Credential): void {
  if (credential.kind !== "text" || credential.text === "") return;
  const hint = `Define a secret under \`use.secrets\`, and write \`\${ $secrets.NAME.${key} }\`.`;
  context.report(literalCredential(spanOf(context, owner, key), { name: key, hint }));
}

/** Reports an address to which secrets would be sent unencrypted, unless a function of the configuration is called. */
export function checkEncryption(writer: Writer, address: string, span: Span, what: string): void {
  if (!/^http:/i.test(address) || isLocalServer(address) || isFunctionBound(writer)) return;
  writer.context.report(unencryptedSecrets(span, { what }));
}
