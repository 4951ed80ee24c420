import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hashed } from "../../src/expressions/library/hashes.ts";

const names = { MD5: "md5", "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512" };

/** Lengths at which another block begins, for blocks of 64 and of 128 bytes. */
const lengths = [0, 1, 55, 56, 63, 64, 111, 112, 127, 128, 1000];

describe("hashes equal those of Node.js", () => {
  test.each(Object.entries(names))("%s", (algorithm, name) => {
    for (const text of [...lengths.map((length) => "x".repeat(length)), "é🚚", '{"a":1}'])
      expect(hashed(text, algorithm)).toBe(createHash(name).update(text).digest("hex"));
  });
});

test("other values are hashed as JSON, and other algorithms give null", () => {
  expect(hashed({ a: 1 }, "MD5")).toBe(hashed('{"a":1}', "MD5"));
  expect(hashed("x", "md5")).toBe(null);
});
