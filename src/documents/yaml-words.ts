import { visit, type YAMLError, type Document as YamlDocument } from "yaml";
import {
  bracketClosed,
  colonAfter,
  commaBefore,
  conflictResolved,
  type Edit,
  lineRequoted,
  meant,
  type Repair,
  type Stretch,
  stretchQuoted,
  stringClosed,
  withoutEntry,
  withoutTabs,
} from "./yaml-repairs.ts";

/** A syntax error as `yaml` found it. */
export interface SyntaxErrorCase {
  readonly text: string;
  readonly error: YAMLError;
  readonly document: YamlDocument.Parsed;
}

/** A syntax error in our words. */
export interface Finding {
  readonly detail: string;
  readonly hint?: string | undefined;
  /** Where it is; absent when `yaml`'s own place is right. Offsets in the text. */
  readonly place?: Stretch | undefined;
  readonly note?: (Stretch & { readonly message: string }) | undefined;
  /** What to write instead of a stretch, where that is certain. */
  readonly mend?: Edit | undefined;
  /** How to read the text instead; as the mend says where there is one. */
  readonly repair?: Repair | undefined;
}

/** Says what is wrong, and where a person would look for it: `yaml` names the place where it gave up. */
export function wordSyntaxError(found: SyntaxErrorCase): Finding {
  const line = firstLine(found);
  if (/^(?:<{7}|={7}|>{7})(?:\s|$)/.test(found.text.slice(line.start, line.end)))
    return {
      detail: "This line is a merge conflict marker.",
      hint: "Keep one side of the conflict, and remove the markers.",
      place: line,
      repair: conflictResolved(found.text, line),
    };
  const rule = rules.find(({ code, says }) => code === found.error.code && (!says || says.test(found.error.message)));
  return rule ? rule.word(found) : { detail: "This is not well-formed YAML." };
}

interface Rule {
  readonly code: YAMLError["code"];
  /** A part of `yaml`'s message, where its code stands for several faults. */
  readonly says?: RegExp;
  readonly word: (found: SyntaxErrorCase) => Finding;
}

const rules: readonly Rule[] = [
  {
    code: "TAB_AS_INDENT",
    word: ({ text, error }) => ({
      detail: "This line is indented with a tab.",
      hint: "Indent with spaces.",
      repair: withoutTabs(text, error.pos[0]),
    }),
  },
  { code: "BAD_INDENT", says: /^Flow/, word: unclosedBracket },
  {
    code: "BAD_INDENT",
    says: /mapping items/,
    word: (found) => ({
      detail: "This key is not aligned with the other keys of its object.",
      hint: "Align it with them.",
      ...entryAt(found),
    }),
  },
  {
    code: "BAD_INDENT",
    says: /sequence items/,
    word: (found) => ({
      detail: "This item is not aligned with the other items of its array.",
      hint: "Align it with them.",
      ...entryAt(found),
    }),
  },
  {
    code: "BAD_INDENT",
    word: (found) => ({
      detail: "This line is not indented enough.",
      hint: "Indent it further than the key that it belongs to.",
      ...entryAt(found),
    }),
  },
  { code: "MULTILINE_IMPLICIT_KEY", word: missingColon },
  { code: "BLOCK_AS_IMPLICIT_KEY", says: /sequence/, word: itemForKey },
  { code: "BLOCK_AS_IMPLICIT_KEY", word: secondColon },
  {
    code: "BLOCK_IN_FLOW",
    word: missingComma,
  },
  {
    code: "BAD_SCALAR_START",
    word: ({ text, error }) => ({
      detail: `A value that begins with \`${text[error.pos[0]]}\` must be quoted.`,
      hint: "Put the value in quotes.",
      repair: stretchQuoted(text, error.pos[0]),
    }),
  },
  { code: "BAD_DQ_ESCAPE", word: badEscape },
  { code: "KEY_OVER_1024_CHARS", word: () => ({ detail: "This key is longer than 1024 characters." }) },
  { code: "MISSING_CHAR", says: /closing/, word: unclosedQuote },
  { code: "MISSING_CHAR", says: /^Flow .* must end/, word: unclosedBracket },
  { code: "MISSING_CHAR", says: /map values/, word: lonelyKey },
  {
    code: "MISSING_CHAR",
    says: /^Missing ,/,
    word: (found) => {
      const place = wordAfter(found);
      const at = { start: place.start, end: place.start, text: ", " };
      return {
        detail: "Missing comma before this.",
        hint: "Insert a comma.",
        place,
        repair: meant(found.text, at),
      };
    },
  },
  {
    code: "MISSING_CHAR",
    says: /space after :/,
    word: (found) => ({
      detail: "Missing space after this colon.",
      hint: "Insert a space after the colon.",
      repair: spaceAt(found, 1),
    }),
  },
  {
    code: "MISSING_CHAR",
    says: /- indicator/,
    word: (found) => ({
      detail: "This line is not an item of the array above it.",
      hint: "Start the item with `- `.",
      ...entryAt(found),
    }),
  },
  {
    code: "MISSING_CHAR",
    says: /^Comments/,
    word: (found) => ({
      detail: "Missing space before this comment.",
      hint: "Insert a space.",
      repair: spaceAt(found, 0),
    }),
  },
  {
    code: "MISSING_CHAR",
    says: /white space/,
    word: (found) => ({
      detail: "Missing space before this.",
      hint: "Insert a space.",
      repair: spaceAt(found, 0),
    }),
  },
  {
    code: "MISSING_CHAR",
    says: /^Block scalars/,
    word: () => ({ detail: "The blank line above is indented further than this line." }),
  },
  {
    code: "MISSING_CHAR",
    says: /^Block coll/,
    word: () => ({ detail: "An array or object cannot start on the line of `---`." }),
  },
  {
    code: "MISSING_CHAR",
    says: /directives-end/,
    word: () => ({ detail: "Missing `---` line after the directives." }),
  },
  {
    code: "UNEXPECTED_TOKEN",
    says: /^Unexpected (,|empty)/,
    word: (found) => ({ detail: "Missing value before this comma.", repair: without(found) }),
  },
  {
    code: "UNEXPECTED_TOKEN",
    says: /flow-(map|seq)-end/,
    word: (found) => ({
      detail: `Unmatched \`${found.text[found.error.pos[0]]}\`.`,
      repair: without(found),
    }),
  },
  {
    code: "UNEXPECTED_TOKEN",
    says: /block-seq-ind/,
    word: ({ text, error }) => ({
      detail: "An array of `- ` items cannot start on the line of its key.",
      hint: "Start it on the next line.",
      repair: withoutEntry(text, error.pos[0]),
    }),
  },
  {
    code: "UNEXPECTED_TOKEN",
    says: /^Block scalar header/,
    word: () => ({
      detail: "Only a comment can follow `|` or `>` on the same line.",
      hint: "Start the text on the next line, indented.",
    }),
  },
  { code: "UNEXPECTED_TOKEN", says: /at node end/, word: afterEnd },
  { code: "UNEXPECTED_TOKEN", word: () => ({ detail: "Unexpected token." }) },
  { code: "ALIAS_PROPS", word: () => ({ detail: "An alias cannot have an anchor or a tag." }) },
  { code: "BAD_ALIAS", word: () => ({ detail: "Missing name after this character." }) },
  { code: "MULTIPLE_ANCHORS", word: () => ({ detail: "A value cannot have two anchors." }) },
  { code: "MULTIPLE_TAGS", word: () => ({ detail: "A value cannot have two tags." }) },
];

function unclosedQuote({ text, error, document }: SyntaxErrorCase): Finding {
  let start = error.pos[0];
  visit(document, {
    Scalar(_, node) {
      if (node.range && node.range[0] < error.pos[0] && node.range[1] >= error.pos[0]) start = node.range[0];
    },
  });
  const place = { start, end: start + 1 };
  const quote = text[start];
  const hint = `Add \`${quote}\` at its end.`;
  return { detail: `This string has no closing \`${quote}\`.`, hint, place, repair: stringClosed(text, start) };
}

function unclosedBracket({ text, error, document }: SyntaxErrorCase): Finding {
  const at = error.pos[0];
  let start = at;
  visit(document, {
    Collection(_, node) {
      if (node.flow && node.range && node.range[0] < at && node.range[2] >= at) start = node.range[0];
    },
  });
  const open = text[start];
  const close = open === "{" ? "}" : "]";
  const note =
    at < text.trimEnd().length
      ? { message: "It must be closed before this.", ...wordAfter({ text, error, document }) }
      : undefined;
  return {
    detail: `This \`${open}\` has no closing \`${close}\`.`,
    hint: `Add \`${close}\` at its end.`,
    place: { start, end: start + 1 },
    note,
    repair: bracketClosed(text, start, at),
  };
}

function missingColon(found: SyntaxErrorCase): Finding {
  const place = firstLine(found);
  const line = found.text.slice(place.start, place.end);
  if (/^- /.test(line)) return itemForKey(found);
  const odd = unusualIn(found.text, place);
  if (odd) return odd;
  const tight = /^[\w-]+:/.exec(line);
  if (!tight)
    return {
      detail: "Missing colon on this line.",
      hint: colonHint,
      place,
      repair: colonAfter(found.text, place),
    };
  const after = place.start + tight[0].length;
  return {
    detail: "Missing space after the colon on this line.",
    hint: colonHint,
    place,
    mend: { start: after, end: after, text: " " },
  };
}

const colonHint = "Write `key: value`, with a space after the colon.";

function lonelyKey(found: SyntaxErrorCase): Finding {
  const line = firstLine(found);
  if (/^[\w$-]+\s+\S/.test(found.text.slice(line.start, line.end))) return missingColon(found);
  const place = wordAfter(found);
  const colon = {
    detail: "Missing colon after this key.",
    hint: colonHint,
    place,
    repair: colonAfter(found.text, place),
  };
  return unusualIn(found.text, line) ?? colon;
}

/** A character that looks like the one that YAML reads. */
interface Unusual {
  /** Where it stands on a line that begins with a key. */
  readonly at: RegExp;
  readonly name: string;
  readonly plain: string;
}

const unusual: readonly Unusual[] = [
  { at: /(?<=^[\w-]+)\uff1a/, name: "a full-width colon (U+FF1A)", plain: ":" },
  { at: /(?<=^[\w-]+:)[\u00a0\u2007\u202f]/, name: "a no-break space", plain: " " },
  { at: /(?<=^[\w-]+:)[\u2000-\u200a\u3000\u200b]/, name: "a special space", plain: " " },
];

function unusualIn(text: string, line: Stretch): Finding | undefined {
  const written = text.slice(line.start, line.end);
  const found = unusual.find(({ at }) => at.test(written));
  if (!found) return undefined;
  const { name, plain } = found;
  const start = line.start + found.at.exec(written)!.index;
  const place = { start, end: start + 1 };
  return {
    detail: `This character is ${name}, which YAML treats as part of a string.`,
    hint: plain === " " ? "Replace it with a plain space." : `Replace it with \`${plain}\` and a space.`,
    place,
    mend: { ...place, text: plain === ":" && text[start + 1] !== " " ? ": " : plain },
  };
}

function missingComma(found: SyntaxErrorCase): Finding {
  const { start, end } = firstLine(found);
  const written = found.text.slice(start, end).replace(/[\]}\s,]+$/, "");
  return {
    detail: "Missing comma between these entries in brackets.",
    hint: "Insert a comma between them.",
    place: { start, end: start + written.length },
    repair: commaBefore(found.text, { start, end: start + written.length }),
  };
}

function itemForKey(found: SyntaxErrorCase): Finding {
  return {
    detail: "Expected a key, found an array item.",
    hint: "Move it under the key of its array.",
    ...entryAt(found),
  };
}

/** `a: b: c`, or a value whose next line is a key that is indented more than its own. */
function secondColon(found: SyntaxErrorCase): Finding {
  const place = firstLine(found);
  if (/:(\s|$)/.test(found.text.slice(place.start, place.end))) {
    return {
      detail: "This value contains a colon, which makes it a key.",
      hint: "Put the value in quotes.",
      place,
      repair: stretchQuoted(found.text, place.start),
    };
  }
  const note = columnNote(found.text, place);
  return {
    detail: "The key below is indented as if it were part of this value.",
    hint: "Align it with the key above.",
    place,
    note,
    repair: note && withoutEntry(found.text, note.start),
  };
}

/** Where the line below a value would have to begin to be another key of the same object. */
function columnNote(text: string, value: Stretch): Finding["note"] {
  const lineStart = text.lastIndexOf("\n", value.start - 1) + 1;
  const [lead] = /^(?: |- )*/.exec(text.slice(lineStart, value.start))!;
  const lineEnd = text.indexOf("\n", value.end);
  if (lineEnd < 0) return undefined;
  const start = skipSpace(text, lineEnd);
  const word = /^[^\s:]*/.exec(text.slice(start, start + 200))![0];
  return {
    start,
    end: start + Math.max(1, word.length),
    message: `To be a sibling of the key above, this must start in column ${lead.length + 1}.`,
  };
}

function badEscape({ text, error }: SyntaxErrorCase): Finding {
  const start = error.pos[0];
  const end = Math.min(start + 2, text.length);
  return {
    detail: `\`${text.slice(start, end).trimEnd()}\` is not a YAML escape sequence.`,
    hint: "Write a backslash as `\\\\`, or use single quotes.",
    place: { start, end },
  };
}

function afterEnd(found: SyntaxErrorCase): Finding {
  const place = wordAfter(found);
  const quote = found.text[place.start - 1];
  const hints: { readonly [quote: string]: string } = {
    "'": "Inside single quotes, write a quote twice: `''`.",
    '"': 'Inside double quotes, escape a quote: `\\"`.',
  };
  return {
    detail: "Unexpected text after the end of a value.",
    hint: quote === undefined ? undefined : hints[quote],
    place,
    repair: lineRequoted(found.text, place.start),
  };
}

/** The place of a line that does not stand where it should, which is read as if it and what belongs to it were not there. */
function entryAt(found: SyntaxErrorCase): Pick<Finding, "place" | "repair"> {
  const place = wordAfter(found);
  return { place, repair: withoutEntry(found.text, place.start) };
}

/** With a space at the place of the error, or so many characters after it. */
const spaceAt = ({ text, error }: SyntaxErrorCase, after: number): Repair =>
  meant(text, { start: error.pos[0] + after, end: error.pos[0] + after, text: " " });

/** Without the character at the place of the error. */
const without = ({ text, error }: SyntaxErrorCase): Repair =>
  meant(text, { start: error.pos[0], end: error.pos[0] + 1, text: " " });

/** The rest of the line on which the error is, from its first character that is no white space. */
function firstLine({ text, error }: SyntaxErrorCase): Stretch {
  const start = skipSpace(text, error.pos[0]);
  const lineEnd = text.slice(start, start + 1000).search(/[\r\n]/);
  const line = lineEnd < 0 ? text.slice(start, start + 1000) : text.slice(start, start + lineEnd);
  return { start, end: start + Math.max(1, line.trimEnd().length) };
}

/** The first word at or after the place of the error. */
function wordAfter({ text, error }: SyntaxErrorCase): Stretch {
  const start = skipSpace(text, error.pos[0]);
  const word = /^[^\s,:[\]{}]+/.exec(text.slice(start, start + 1000))?.[0] ?? "";
  return { start, end: start + Math.max(1, word.length) };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}
