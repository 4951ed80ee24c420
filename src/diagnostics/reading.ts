import { clip } from "../text/clip.ts";
import { defineError, defineWarning, type Wording } from "../text/diagnostics.ts";
import { didYouMean } from "../text/suggest.ts";

// WB00xx: from a text to plain data

/** The text is over the limit and was not read. */
export const tooLarge = defineError("WB0001", (a: { maximum: number }) => ({
  message: `The text is larger than ${bytes(a.maximum)} and was not read.`,
  hint: "Split the definition into several workflows, or raise the limit with `--max-bytes`.",
}));

/** There is nothing in the text. */
export const emptyText = defineError("WB0002", (_: object) => ({
  message: "There is no document in this text.",
  hint: "Write a definition into it, or leave the file out.",
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
  hint: "Keep one of the two.",
}));

/** An alias names an anchor that does not stand before it. */
export const unknownAnchor = defineError("WB0007", (a: { name: string }) => ({
  message: `No anchor \`&${clip(a.name)}\` stands before this alias.`,
  hint: `Write \`&${clip(a.name)}\` before the value that is meant, or the value itself here.`,
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
  hint: "Write it in quotes, or as a plain word.",
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
  hint: "Write the keys themselves, or an alias of an object that has them.",
}));

/** A `%` line that YAML does not know, or that asks for another version of YAML. */
export const unknownDirective = defineWarning("WB0015", (a: { text: string }) => ({
  message: `The directive \`${clip(a.text)}\` has no effect; the text is read as YAML 1.2.`,
}));

function bytes(count: number): string {
  const mebibytes = count / (1024 * 1024);
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${count} bytes`;
}

/** A file cannot be read at all, or is no text. */
export const unreadableText = defineError("WB0016", (a: { reason: string; hint?: string | undefined }) => ({
  message: `This file cannot be read: ${a.reason}.`,
  hint: a.hint,
}));

// WB01xx: which language a document is in

/** `--from` names no language. */
export const unknownLanguage = defineError("WB0101", (a: { name: string; known: readonly string[] }) => ({
  message: `There is no language \`${a.name}\`; Waybill reads ${list(a.known)}.`,
  hint: didYouMean(a.name, a.known),
}));

/**
 * No front end takes the document for its own, or several do: `languages`. Where it is in something that is known and not read, `dialect` is that,
 * `mark` the key that shows it, and `read` what is read of the same language.
 */
export const unknownDialect = defineError(
  "WB0102",
  (a: {
    known: readonly string[];
    dialect?: string | undefined;
    mark?: string | undefined;
    read?: string | undefined;
    languages?: readonly string[] | undefined;
  }) => {
    if (a.dialect !== undefined) return foreign({ ...a, dialect: a.dialect });
    return a.languages
      ? { message: `This is as much a definition in ${either(a.languages)}.`, hint: "Say which it is with `--from`." }
      : {
          message: `This does not look like a workflow in a language that Waybill reads (${list(a.known)}).`,
          hint: "If it is one, say which with `--from`.",
        };
  },
);

function foreign(a: {
  readonly known: readonly string[];
  readonly dialect: string;
  readonly mark?: string | undefined;
  readonly read?: string | undefined;
}): Wording {
  const shown = a.mark === undefined ? "" : `, as \`${clip(a.mark)}\` shows`;
  return a.read === undefined
    ? { message: `This is ${a.dialect}${shown}, which Waybill does not read.`, hint: `It reads ${list(a.known)}.` }
    : {
        message: `This is ${a.dialect}${shown}. Of that language Waybill reads ${a.read}.`,
        hint: "What to change tells `waybill explain WB0102`.",
      };
}

/** A file in a folder is left out although it may have been meant as a workflow. */
export const passedOver = defineWarning("WB0103", (a: { language: string; dialect: string | undefined }) => ({
  message: a.dialect
    ? `This file is passed over: it is ${a.dialect}, which Waybill does not read.`
    : `This file is passed over: it has a little of a \`${a.language}\` definition, but not enough to be taken for one.`,
  hint: a.dialect ? undefined : `If it is one, name the file itself and say \`--from ${a.language}\`.`,
}));

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const either = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(" as in ");

// WB10xx: what does not fit a language's JSON Schema

/**
 * A property that is needed is not there, or none of several. `owner` is a noun phrase, such as "The state `Greet`"; `misspelt` is the name of
 * a property that is there instead.
 */
export const missingProperty = defineError(
  "WB1001",
  (a: { owner: string; names: readonly string[]; misspelt: string | undefined }) => ({
    message:
      a.names.length === 1
        ? `${a.owner} has no \`${a.names[0]}\`.`
        : a.names.length <= mostNamed
          ? `${a.owner} has neither ${quoted(a.names).join(" nor ")}.`
          : `${a.owner} has none of ${quoted(a.names.slice(0, mostNamed)).join(", ")} and ${a.names.length - mostNamed} others; it needs one.`,
    hint: a.misspelt === undefined ? undefined : (didYouMean(a.misspelt, a.names) ?? didYouMeanOne(a.names)),
  }),
);

/**
 * A property that the language does not know. `noun` is a noun with its article, such as "an action"; `meant` is what others call so, and `remedy` what to do
 * where a property is not enough.
 */
export const unknownProperty = defineWarning("WB1002", (a: UnknownProperty) => ({
  message: `\`${clip(a.name)}\` is not a property of ${a.noun}; it has no effect.`,
  hint: a.remedy ?? (a.meant === undefined ? didYouMean(a.name, a.known) : didYouMeanOne([a.meant])),
}));

/** The same in a language that allows for none. */
export const refusedProperty = defineError("WB1007", (a: UnknownProperty) => ({
  message: `\`${clip(a.name)}\` is not a property of ${a.noun}.`,
  hint: a.remedy ?? (a.meant === undefined ? didYouMean(a.name, a.known) : didYouMeanOne([a.meant])),
}));

interface UnknownProperty {
  readonly noun: string;
  readonly name: string;
  readonly known: readonly string[];
  readonly meant?: string | undefined;
  readonly remedy?: string | undefined;
}

/** The property that tells the kinds of an object apart has none of the values that there are. */
export const unknownKind = defineError("WB1003", (a: { tag: string; name: string; known: readonly string[] }) => ({
  message: `There is no ${a.tag} \`${clip(a.name)}\`; there ${a.known.length === 1 ? "is" : "are"} ${quoted(a.known).join(", ")}.`,
  hint: didYouMean(a.name, a.known),
}));

/**
 * A value of another type than is needed. `subject` names the value; `found` and `wanted` are types with their articles. What is likely meant: `written` is how
 * to write it, `outdented` are properties that belong to it, and `duration` is a length of time.
 */
export const wrongType = defineError(
  "WB1004",
  (a: {
    subject: string;
    found: string;
    wanted: string;
    written?: string | undefined;
    outdented?: readonly string[] | undefined;
    duration?: string | undefined;
    isListWanted?: boolean;
    /** Whether it is null, as a key is that nothing follows. */
    isNull?: boolean;
    isWordForNumber?: boolean;
  }) => ({
    message: `${a.subject} is ${a.found}; ${a.wanted} is needed here.`,
    hint: remedyFor(a),
  }),
);

function remedyFor(a: {
  readonly written?: string | undefined;
  readonly outdented?: readonly string[] | undefined;
  readonly duration?: string | undefined;
  readonly isListWanted?: boolean;
  readonly isNull?: boolean;
  readonly isWordForNumber?: boolean;
}): string | undefined {
  if (a.duration !== undefined) return `Did you mean \`${a.duration}\`?`;
  if (a.written !== undefined) return `Write \`${clip(a.written)}\`.`;
  if (a.isListWanted) return "A list of one begins with `- `, or stands in `[ ]`.";
  if (a.isWordForNumber) return "Write it in digits, such as `3`.";
  if (!a.outdented?.length) return a.isNull ? "Write a value, or leave the key out." : undefined;
  return a.outdented.length === 1
    ? `${quoted(a.outdented)[0]} belongs to it: indent it further.`
    : `${quoted(a.outdented).join(" and ")} belong to it: indent them further.`;
}

/** A value that is none of those that there are. `name` is what may be a misspelt one. */
export const unknownValue = defineError(
  "WB1005",
  (a: {
    subject: string;
    found: string;
    known: readonly string[];
    name: string | undefined;
    meant?: string | undefined;
  }) => ({
    message: `${a.subject} is ${a.found}; it can only be ${quoted(a.known).join(", ")}.`,
    hint: a.meant === undefined ? a.name && didYouMean(a.name, a.known) : didYouMeanOne([a.meant]),
  }),
);

/** A value of the right type that is otherwise not as it has to be: empty, out of range, with properties that exclude each other. */
export const wrongShape = defineError("WB1006", (a: { detail: string }) => ({
  message: `${a.detail}.`,
}));

/** Of more names than this only the first are listed. */
const mostNamed = 6;

const didYouMeanOne = ([name]: readonly string[]): string => `Did you mean \`${name}\`?`;

function quoted(names: readonly string[]): readonly string[] {
  return names.map((name) => `\`${name}\``);
}
