import type { IncomingHttpHeaders } from "node:http";

// The symmetric signatures (v1) of Standard Webhooks: an HMAC-SHA256 of the id, the timestamp and the body of a message.

/** How far the time of a message may differ from the clock, in milliseconds. */
const tolerance = 5 * 60_000;

/** The key in a secret such as `whsec_…`, in base64; undefined if it is malformed or does not have 24 to 64 bytes. */
export function signingKeyOf(secret: string): Uint8Array | undefined {
  const encoded = secret.replace(/^whsec_/, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const key = Buffer.from(encoded, "base64");
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** The id of a signed message; undefined if a message has no signature. */
export const webhookIdOf = (headers: IncomingHttpHeaders): string | undefined =>
  headers["webhook-signature"] === undefined ? undefined : one(headers["webhook-id"]);

/** What is wrong with the signature of a message; undefined if one of the keys has signed it within the tolerance. */
export function signatureViolation(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  keys: readonly Uint8Array[],
  now: number,
): string | undefined {
  const id = one(headers["webhook-id"]);
  const timestamp = one(headers["webhook-timestamp"]);
  const signatures = one(headers["webhook-signature"]);
  if (!id || !timestamp || !signatures)
    return "The request needs the headers webhook-id, webhook-timestamp and webhook-signature.";
  if (!/^\d{1,12}$/.test(timestamp)) return "The header webhook-timestamp is not a time in seconds since 1970.";
  if (Math.abs(Number(timestamp) * 1000 - now) > tolerance)
    return "The time of the message differs from the server's by more than five minutes.";
  const { createHmac, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const expected = keys.map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest());
  let isKnown = false;
  for (const given of signatures.split(" ").slice(0, maxSignatures)) {
    const [version, encoded = ""] = given.split(",", 2);
    const signature = Buffer.from(encoded, "base64");
    if (version !== "v1" || signature.length !== signatureBytes) continue;
    for (const each of expected) if (timingSafeEqual(each, signature)) isKnown = true;
  }
  return isKnown ? undefined : "None of the signatures in webhook-signature is valid for the message.";
}

const maxSignatures = 16;
const signatureBytes = 32;

const one = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === "string" ? header : undefined;
