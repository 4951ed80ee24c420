import { clip } from "../text/clip.ts";
import { defineError, defineWarning } from "../text/diagnostics.ts";

// WB00xx: from a text to plain data

/** The text is over the limit and was not read. */
export const tooLarge = defineError("WB0001", (a: { maximum: number }) => ({
  message: `The text is larger than ${bytes(a.maximum)} and was not read.`,
  hint: "Split the definition into subflows, or raise the limit with `--max-bytes`.",
}));

/** There is nothing in the text. */
export const emptyText = defineError("WB0002", (_: object) => ({
  message: "There is no document in this text.",
}));

/** Lists and objects stand in each other too often. */
export const tooDeep = defineError("WB0003", (a: { limit: number }) => ({
  message: `Lists and objects are nested more than ${a.limit} levels deep here.`,
}));

/** The text breaks the grammar of JSON. */
export const jsonSyntax = defineError("WB0004", (a: { detail: string; hint?: string | undefined }) => ({
  message: a.detail,
  hint: a.hint,
}));

/** The text breaks the grammar of YAML. */
export const yamlSyntax = defineError("WB0005", (a: { detail: string; hint?: string | undefined }) => ({
  message: a.detail,
  hint: a.hint,
}));

/** An object has one key twice. */
export const duplicateKey = defineError("WB0006", (a: { name: string }) => ({
  message: `The key \`${clip(a.name)}\` stands twice in this object.`,
}));

/** An alias names an anchor that does not stand before it. */
export const unknownAnchor = defineError("WB0007", (a: { name: string }) => ({
  message: `No anchor \`&${clip(a.name)}\` stands before this alias.`,
}));

/** An alias stands inside of what it repeats. */
export const cyclicAlias = defineError("WB0008", (a: { name: string }) => ({
  message: `The alias \`*${clip(a.name)}\` is part of the value that it repeats, which would never end.`,
}));

/** Aliases of aliases make the document much larger than its text. */
export const tooManyAliases = defineError("WB0009", (a: { limit: number }) => ({
  message: `With its aliases written out the document has more than ${a.limit} values.`,
}));

/** A tag asks for a type that JSON has not, or that the value does not fit. */
export const unknownTag = defineError("WB0010", (a: { tag: string }) => ({
  message: `The tag \`${clip(a.tag)}\` has no meaning for this value.`,
  hint: "Workflow definitions are plain JSON data: leave the tag out.",
}));

/** A key is a list, an object, an alias or tagged. */
export const keyNotText = defineError("WB0011", (_: object) => ({
  message: "This key is no plain text.",
}));

/** NaN and the infinities. */
export const notFinite = defineError("WB0012", (a: { text: string }) => ({
  message: `\`${clip(a.text)}\` is not a number that JSON can hold.`,
  hint: "Put it in quotes if it is meant as text.",
}));

/** A whole number too large for exact arithmetic. */
export const inexactNumber = defineWarning("WB0013", (a: { text: string; value: number }) => ({
  message: `The number \`${clip(a.text)}\` cannot be held exactly; it is read as ${a.value}.`,
  hint: "Put it in quotes if it is an identifier.",
}));

/** `<<` with something that has no keys. */
export const mergeOfNoObject = defineError("WB0014", (_: object) => ({
  message: "Only an object, or a list of objects, can be merged with `<<`.",
}));

/** A `%` line that YAML does not know, or that asks for another version of YAML. */
export const unknownDirective = defineWarning("WB0015", (a: { text: string }) => ({
  message: `The directive \`${clip(a.text)}\` has no effect; the text is read as YAML 1.2.`,
}));

function bytes(count: number): string {
  const mebibytes = count / (1024 * 1024);
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${count} bytes`;
}
