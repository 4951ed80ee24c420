import { defineError, defineWarning, type Wording } from "../text/diagnostics.ts";
import { didYouMean, listNames, truncate } from "../text/messages.ts";

// WB00xx: reading JSON and YAML

/** A file exceeds the size limit. */
export const tooLarge = defineError("WB0001", (a: { maximum: number }) => ({
  message: `The file is larger than ${bytes(a.maximum)} and was not read.`,
  hint: "Split the definition into several workflows, or raise the limit with `--max-bytes`.",
}));

/** A file contains no document. */
export const emptyDocument = defineError("WB0002", (_: object) => ({
  message: "The file contains no document.",
  hint: "Add a definition, or remove the file.",
}));

/** Arrays and objects are nested too deeply. */
export const tooDeep = defineError("WB0003", (a: { limit: number }) => ({
  message: `Arrays and objects are nested more than ${a.limit} levels deep.`,
}));

/** A JSON syntax error. */
export const jsonSyntax = defineError("WB0004", (a: { detail: string; hint?: string | undefined }) => ({
  message: a.detail,
  hint: a.hint,
}));

/** A YAML syntax error. */
export const yamlSyntax = defineError("WB0005", (a: { detail: string; hint?: string | undefined }) => ({
  message: a.detail,
  hint: a.hint,
}));

/** An object has the same key twice. */
export const duplicateKey = defineError("WB0006", (a: { name: string }) => ({
  message: `Duplicate key \`${truncate(a.name)}\`.`,
  hint: "Remove or rename one of the two.",
}));

/** An alias of an anchor that is not defined before it. */
export const unknownAnchor = defineError("WB0007", (a: { name: string }) => ({
  message: `Unknown anchor \`&${truncate(a.name)}\`.`,
  hint: `Define \`&${truncate(a.name)}\` before this alias, or put the value in quotes if it is a string.`,
}));

/** An alias inside of its own value. */
export const cyclicAlias = defineError("WB0008", (a: { name: string }) => ({
  message: `The alias \`*${truncate(a.name)}\` refers to a value that contains it.`,
  hint: "Write the value instead of the alias.",
}));

/** Aliases that expand to too many values. */
export const tooManyAliases = defineError("WB0009", (a: { limit: number }) => ({
  message: `With all aliases expanded, the document has more than ${a.limit} values.`,
  hint: "Use fewer aliases inside aliased values.",
}));

/** A tag that JSON lacks or that does not match. */
export const unknownTag = defineError("WB0010", (a: { tag: string }) => ({
  message: `The tag \`${truncate(a.tag)}\` is not valid for this value.`,
  hint: "Remove the tag: workflow definitions are plain JSON data.",
}));

/** A key that is not a plain string. */
export const keyNotString = defineError("WB0011", (_: object) => ({
  message: "This key is not a string.",
  hint: "Put the key in quotes.",
}));

/** NaN and the infinities. */
export const nonFiniteNumber = defineError("WB0012", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is not a valid JSON number.`,
  hint: "Put it in quotes if it is a string.",
}));

/** An integer that a double cannot represent. */
export const inexactNumber = defineWarning("WB0013", (a: { text: string; value: number }) => ({
  message: `The number \`${truncate(a.text)}\` cannot be represented exactly and is read as ${a.value}.`,
  hint: "Put it in quotes if it is an identifier.",
}));

/** `<<` with a value that is not an object. */
export const invalidMerge = defineError("WB0014", (_: object) => ({
  message: "`<<` merges only an object or an array of objects.",
  hint: "Write the keys directly, or use an alias of an object.",
}));

/** An unknown YAML directive or version. */
export const unknownDirective = defineWarning("WB0015", (a: { text: string }) => ({
  message: `The directive \`${truncate(a.text)}\` has no effect; the file is read as YAML 1.2.`,
  hint: "Remove the directive.",
}));

function bytes(count: number): string {
  const mebibytes = count / (1024 * 1024);
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${count} bytes`;
}

/** A file that cannot be opened or is not UTF-8. */
export const unreadableFile = defineError("WB0016", (a: { reason: string; hint?: string | undefined }) => ({
  message: `Cannot read this file: ${a.reason}.`,
  hint: a.hint,
}));

// WB01xx: language detection

/** `--from` names an unknown language. */
export const unknownLanguage = defineError("WB0101", (a: { name: string; known: readonly string[] }) => ({
  message: `Unknown language \`${a.name}\`; Waybill supports ${list(a.known)}.`,
  hint: didYouMean(a.name, a.known),
}));

/**
 * No language or several (`languages`) match. `dialect` is an unsupported language or version, `mark` the key that
 * identifies it, and `read` the supported version.
 */
export const unrecognizedLanguage = defineError(
  "WB0102",
  (a: {
    known: readonly string[];
    dialect?: string | undefined;
    mark?: string | undefined;
    read?: string | undefined;
    advice?: string | undefined;
    languages?: readonly string[] | undefined;
  }) => {
    if (a.dialect !== undefined) return wordUnsupportedDialect({ ...a, dialect: a.dialect });
    return a.languages
      ? {
          message: `This could be a definition in ${joinAlternatives(quoted(a.languages))}.`,
          hint: "Specify the language with `--from`.",
        }
      : {
          message: `Unrecognized workflow language; Waybill supports ${list(a.known)}.`,
          hint: "If this is a workflow definition, specify its language with `--from`.",
        };
  },
);

function wordUnsupportedDialect(a: {
  readonly known: readonly string[];
  readonly dialect: string;
  readonly mark?: string | undefined;
  readonly read?: string | undefined;
  readonly advice?: string | undefined;
}): Wording {
  const shown = a.mark === undefined ? "" : ` (it has \`${truncate(a.mark)}\`)`;
  return a.read === undefined || a.advice !== undefined
    ? {
        message: `This is ${a.dialect}${shown}, which Waybill does not support.`,
        hint: a.advice ?? `Use ${joinAlternatives(quoted(a.known))}.`,
      }
    : {
        message: `This is ${a.dialect}${shown}; Waybill supports only ${a.read}.`,
        hint: "Run `waybill explain WB0102` for the differences.",
      };
}

/** A skipped file that resembles a workflow definition. */
export const skippedFile = defineWarning("WB0103", (a: { language: string; dialect: string | undefined }) => ({
  message: a.dialect
    ? `File skipped: it is ${a.dialect}, which Waybill does not support.`
    : `File skipped: it has only some of the properties of a \`${a.language}\` definition.`,
  hint: a.dialect ? undefined : `If it is a definition, pass the file itself with \`--from ${a.language}\`.`,
}));

const list = (names: readonly string[]): string => quoted(names).join(", ");

// WB10xx: violations of a language's JSON Schema

/** A missing property. `names`: alternatives; `misspelt`: found instead. */
export const missingProperty = defineError(
  "WB1001",
  (a: {
    owner: string;
    names: readonly string[];
    misspelt: string | undefined;
    /** Its description and permitted values, if it is one. */
    use?: { readonly description: string | undefined; readonly words: readonly string[] } | undefined;
  }) => ({
    message:
      a.names.length === 1
        ? `${a.owner} has no \`${a.names[0]}\`.`
        : a.names.length <= maxNames
          ? `${a.owner} must have ${joinAlternatives(quoted(a.names))}.`
          : `${a.owner} must have ${joinAlternatives([...quoted(a.names.slice(0, maxNames)), `one of ${a.names.length - maxNames} others`])}.`,
    hint: a.misspelt === undefined ? suggestAddition(a) : (didYouMean(a.misspelt, a.names) ?? didYouMeanOne(a.names)),
    misspelt: a.misspelt === undefined ? undefined : { name: a.misspelt, known: a.names },
  }),
);

function suggestAddition(a: {
  readonly names: readonly string[];
  readonly use?: { readonly description: string | undefined; readonly words: readonly string[] } | undefined;
}): string {
  if (a.names.length > 1 || !a.use) return a.names.length > 1 ? "Add one of them." : `Add ${quoted(a.names)[0]}.`;
  const { description = "", words } = a.use;
  const [sentence = ""] = /^.*?(?=\.(?:\s|$)|$)/.exec(description) ?? [];
  const purpose =
    sentence === "" || sentence.startsWith("`") ? "" : `: ${sentence[0]!.toLowerCase()}${sentence.slice(1)}`;
  return `Add ${quoted(a.names)[0]}${purpose}${words.length > 1 ? `, one of ${listNames(words)}` : ""}.`;
}

/**
 * An unknown property. `noun`: "an action"; `meant`: its name in this language; `remedy`: a hint that replaces the
 * suggestion.
 */
export const unknownProperty = defineWarning("WB1002", (a: UnknownProperty) => ({
  message: `\`${truncate(a.name)}\` is not a property of ${a.noun} and has no effect.`,
  hint: a.remedy ?? (a.meant === undefined ? didYouMean(a.name, a.known) : didYouMeanOne([a.meant])),
}));

/** The same, if no additional ones are allowed. */
export const disallowedProperty = defineError("WB1007", (a: UnknownProperty) => ({
  message: `\`${truncate(a.name)}\` is not a property of ${a.noun}.`,
  hint: a.remedy ?? (a.meant === undefined ? didYouMean(a.name, a.known) : didYouMeanOne([a.meant])),
}));

/**
 * A property of another object of the document. `noun` and `place` have articles; `sibling` is the first property at
 * the place.
 */
export const misplacedProperty = defineError(
  "WB1008",
  (a: {
    name: string;
    noun: string;
    place: string;
    isOuter: boolean;
    /** Whether both are in YAML's block style. */
    isBlock: boolean;
    sibling: string | undefined;
  }) => ({
    message: `\`${truncate(a.name)}\` belongs to ${a.place}, not to ${a.noun}.`,
    hint: !a.isBlock
      ? `Move it to ${a.place}.`
      : a.isOuter && a.sibling !== undefined
        ? `Indent it less, to align it with \`${truncate(a.sibling)}\` of ${a.place}.`
        : `Indent it ${a.isOuter ? "less" : "further"}, to make it part of ${a.place}.`,
  }),
);

interface UnknownProperty {
  readonly noun: string;
  readonly name: string;
  readonly known: readonly string[];
  readonly meant?: string | undefined;
  readonly remedy?: string | undefined;
}

/** An unknown discriminator value. */
export const unknownKind = defineError(
  "WB1003",
  (a: { tag: string; name: string; known: readonly string[]; meant?: string | undefined }) => ({
    message: `Unknown ${a.tag} \`${truncate(a.name)}\`; it must be ${joinAlternatives(quoted(a.known))}.`,
    hint: a.meant === undefined ? didYouMean(a.name, a.known) : didYouMeanOne([a.meant]),
    misspelt: a,
  }),
);

/**
 * A wrong type. `subject` names the value; `found` and `wanted` have articles. `written` is the corrected source text,
 * `outdented` the siblings that belong into the value.
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
    /** As for a key without a value. */
    isNull?: boolean;
    isWordForNumber?: boolean;
    isFraction?: boolean;
    description?: string | undefined;
    /** The required properties of an object. */
    required?: readonly string[] | undefined;
    /** The array of an object that replaces an array. */
    listName?: string | undefined;
  }) => ({
    message: `${a.subject} must be ${a.wanted}, not ${a.found}.`,
    hint: suggestType(a),
  }),
);

function suggestType(a: {
  readonly written?: string | undefined;
  readonly outdented?: readonly string[] | undefined;
  readonly duration?: string | undefined;
  readonly isListWanted?: boolean;
  readonly isNull?: boolean;
  readonly isWordForNumber?: boolean;
  readonly isFraction?: boolean;
  readonly description?: string | undefined;
  readonly required?: readonly string[] | undefined;
  readonly listName?: string | undefined;
}): string | undefined {
  if (a.duration !== undefined) return `Did you mean \`${a.duration}\`?`;
  if (a.written !== undefined) {
    return `Write \`${truncate(a.written, 120)}\`${a.outdented?.length ? ` and remove ${quoted(a.outdented).join(" and ")}` : ""}.`;
  }
  if (a.isListWanted) return "Put the item in `[ ]`, or start it with `- `.";
  if (a.isWordForNumber) return "Write a number, such as `3`.";
  if (a.isFraction) return "Write a whole number.";
  if (a.listName !== undefined) return `Put the items in \`${a.listName}\` of an object.`;
  if (!a.outdented?.length) {
    if (a.isNull) return "Add a value, or remove the key.";
    if (a.required?.length) return `Write an object with ${listNames(a.required)}.`;
    return a.description && `Expected: ${a.description[0]!.toLowerCase()}${a.description.slice(1)}`;
  }
  return a.outdented.length === 1
    ? `Indent ${quoted(a.outdented)[0]} further to make it part of this value.`
    : `Indent ${quoted(a.outdented).join(" and ")} further to make them part of this value.`;
}

/** A selected definition that no file has. */
export const unknownDefinition = defineError("WB0104", (a: { name: string; known: readonly string[] }) => ({
  message: `No file has a definition named \`${truncate(a.name)}\`.`,
  hint:
    didYouMean(a.name, a.known) ??
    (a.known.length > 0 ? `They have ${listNames(a.known)}.` : "Only files with several definitions name them."),
}));

/** A file with several definitions where one is needed. */
export const severalDefinitions = defineError("WB0105", (a: { path: string; known: readonly string[] }) => ({
  message: `\`${truncate(a.path)}\` has several definitions: ${listNames(a.known)}.`,
  hint: `Select one: \`pick: ${truncate(a.known[0] ?? "")}\`.`,
}));

/** A value that is not permitted; `name` may be misspelled. */
export const unknownValue = defineError(
  "WB1005",
  (a: {
    subject: string;
    found: string;
    known: readonly string[];
    name: string | undefined;
    meant?: string | undefined;
    /** A hint that replaces the suggestion. */
    remedy?: string | undefined;
  }) => ({
    message: `${a.subject} must be ${joinAlternatives(quoted(a.known))}, not ${a.found}.`,
    hint: a.remedy ?? (a.meant === undefined ? a.name && didYouMean(a.name, a.known) : didYouMeanOne([a.meant])),
    misspelt: a.remedy === undefined && a.name !== undefined ? { name: a.name, known: a.known } : undefined,
  }),
);

/** A constraint violation other than the type. */
export const constraintViolation = defineError("WB1006", (a: { detail: string; hint?: string | undefined }) => ({
  message: `${a.detail}.`,
  hint: a.hint,
}));

const maxNames = 6;

const didYouMeanOne = ([name]: readonly string[]): string => `Did you mean \`${name}\`?`;

/** Joins phrases as "a, b or c". */
export const joinAlternatives = (phrases: readonly string[]): string =>
  phrases.length < 2 ? phrases.join() : `${phrases.slice(0, -1).join(", ")} or ${phrases.at(-1)}`;

function quoted(names: readonly string[]): readonly string[] {
  return names.map((name) => `\`${name}\``);
}
