import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** Who may ask. */
export interface Access {
  /** What requests have to bring as `Authorization: Bearer …`; absent: anybody may ask. */
  readonly token?: string | undefined;
  /** The names under which the server may be asked, without ports; absent: any. Keeps other sites' pages away whose names lead here. */
  readonly hosts?: readonly string[] | undefined;
}

/** Refuses who may not ask: without the token, by another name, or from a page of another site. */
export function requireAccess(request: IncomingMessage, { token, hosts }: Access): void {
  const host = (request.headers.host ?? "").toLowerCase();
  if (hosts && !hosts.includes(host.replace(/:\d+$/, "")))
    throw new Refusal(421, "Another host", "The server is not asked by this name.");
  const { origin } = request.headers;
  if (origin !== undefined && hostOf(origin) !== host)
    throw new Refusal(403, "Another site", "Pages of other sites may not ask.");
  if (token === undefined) return;
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (given !== undefined && isSame(given, token)) return;
  const headers = { "www-authenticate": "Bearer" };
  throw new Refusal(
    401,
    "No access",
    given === undefined ? "The request needs a bearer token." : "The bearer token is another one.",
    {
      headers,
    },
  );
}

/** A token that nobody guesses, and that a command line does not take for an option. */
export const newToken = (): string =>
  process.getBuiltinModule("node:crypto").randomBytes(24).toString("base64url").replace(/^-/, "_");

/** Whether two texts are equal; takes as long whatever they are. */
function isSame(a: string, b: string): boolean {
  const { createHash, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
