import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signatureViolation, signingKeyOf } from "../../../../targets/typescript/runtime/server/signatures.ts";

// The example of the specification's reference libraries.
const key = signingKeyOf("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")!;
const body = Buffer.from('{"test": 2432232314}');
const headers = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const sent = 1_614_265_330_000;
const other = new Uint8Array(32).fill(7);

describe("a message", () => {
  test.each([0, 299_000, -299_000])("signed by a key is accepted %i ms after its time", (age) =>
    expect(signatureViolation(headers, body, [other, key], sent + age)).toBeUndefined(),
  );

  test("is accepted if one of several signatures is valid", () => {
    const several = `v1a,AAAA v1,${Buffer.alloc(32).toString("base64")} ${headers["webhook-signature"]}`;
    expect(signatureViolation({ ...headers, "webhook-signature": several }, body, [key], sent)).toBeUndefined();
  });

  test.each([
    ["another body", {}, "{}", [key], sent],
    ["another id", { "webhook-id": "msg_other" }, undefined, [key], sent],
    ["another time", { "webhook-timestamp": "1614265331" }, undefined, [key], sent],
    ["another key", {}, undefined, [other], sent],
    ["an old time", {}, undefined, [key], sent + 301_000],
    ["a time in the future", {}, undefined, [key], sent - 301_000],
    ["a time that is not a number", { "webhook-timestamp": "1e9" }, undefined, [key], sent],
    ["no time", { "webhook-timestamp": undefined }, undefined, [key], sent],
    ["no id", { "webhook-id": undefined }, undefined, [key], sent],
    ["no signature", { "webhook-signature": undefined }, undefined, [key], sent],
    [
      "another version",
      { "webhook-signature": "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" },
      undefined,
      [key],
      sent,
    ],
    ["a shorter signature", { "webhook-signature": "v1,g0hM9SsE" }, undefined, [key], sent],
    [
      "a valid signature after 16 others",
      { "webhook-signature": `${"v1,AA ".repeat(16)}${headers["webhook-signature"]}` },
      undefined,
      [key],
      sent,
    ],
  ])("with %s is rejected", (_what, changed, text, keys, now) => {
    const content = text === undefined ? body : Buffer.from(text);
    expect(signatureViolation({ ...headers, ...changed }, content, keys, now)).toBeTypeOf("string");
  });
});

test("a body that is not UTF-8 is signed as it is", () => {
  const bytes = new Uint8Array([0, 255, 10]);
  const signature = createHmac("sha256", key).update("a.1614265330.").update(bytes).digest("base64");
  const signed = { ...headers, "webhook-id": "a", "webhook-signature": `v1,${signature}` };
  expect(signatureViolation(signed, bytes, [key], sent)).toBeUndefined();
});

test.each(["whsec_", "whsec_AAAA", "short", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa*w", `whsec_${"A".repeat(88)}`])(
  "%j is not a secret",
  (secret) => expect(signingKeyOf(secret)).toBeUndefined(),
);
