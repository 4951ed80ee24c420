import type { PlainShape } from "./shape.ts";

/** What values of shapes are called in sentences: "a text", each noun once. */
export const nounsOf = (parts: readonly PlainShape[]): readonly string[] => [...new Set(parts.map(nounOf))];

function nounOf(part: PlainShape): string {
  if (part.kind === "literal") return nouns[typeof part.value as "boolean" | "number" | "string"];
  return nouns[part.kind];
}

const nouns = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  string: "a text",
  array: "an array",
  object: "this object",
} as const;
