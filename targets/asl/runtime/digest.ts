import { createHash } from "node:crypto";

/** The SHA-256 hash of a string, as 64 hexadecimal digits. */
export const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
