/**
 * The SHA-256 digest of a string in hexadecimal, for Node.js. The JavaScript of `digest.ts` takes longer than the rest of a
 * short run. The module is loaded by the first call, because only some targets hash.
 */
export const sha256Hex = (text: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
