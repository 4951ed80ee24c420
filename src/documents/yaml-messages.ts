import { visit, type YAMLError, type Document as YamlDocument } from "yaml";
import {
  addColon,
  blankEntry,
  blankTabbedLines,
  closeBracket,
  closeString,
  insertComma,
  intendedRepair,
  quoteRange,
  type Repair,
  requoteLine,
  resolveConflict,
  type TextRange,
  type TextReplacement,
} from "./yaml-repairs.ts";

/** An error of the parser in its context. */
export interface YamlSyntaxError {
  readonly text: string;
  readonly error: YAMLError;
  readonly document: YamlDocument.Parsed;
}

/** The message for a syntax error. */
export interface ErrorExplanation {
  readonly detail: string;
  readonly hint?: string | undefined;
  /** Default: the parser's position. */
  readonly range?: TextRange | undefined;
  readonly note?: (TextRange & { readonly message: string }) | undefined;
  readonly fix?: TextReplacement | undefined;
  /** Default: `fix`. */
  readonly repair?: Repair | undefined;
}

/** Explains an error and locates its cause. */
export function explainSyntaxError(found: YamlSyntaxError): ErrorExplanation {
  const line = firstLine(found);
  if (/^(?:<{7}|={7}|>{7})(?:\s|$)/.test(found.text.slice(line.start, line.end)))
    return {
      detail: "This line is a merge conflict marker.",
      hint: "Keep one side of the conflict, and remove the markers.",
      range: line,
      repair: resolveConflict(found.text, line),
    };
  const rule = rules.find(
    ({ code, pattern }) => code === found.error.code && (!pattern || pattern.test(found.error.message)),
  );
  return rule ? rule.word(found) : { detail: "This is not well-formed YAML." };
}

interface MessageRule {
  readonly code: YAMLError["code"];
  /** Distinguishes equal codes. */
  readonly pattern?: RegExp;
  readonly word: (found: YamlSyntaxError) => ErrorExplanation;
}

const rules: readonly MessageRule[] = [
  {
    code: "TAB_AS_INDENT",
    word: ({ text, error }) => ({
      detail: "This line is indented with a tab.",
      hint: "Indent with spaces.",
      repair: blankTabbedLines(text, error.pos[0]),
    }),
  },
  { code: "BAD_INDENT", pattern: /^Flow/, word: unclosedBracket },
  {
    code: "BAD_INDENT",
    pattern: /mapping items/,
    word: (found) => ({
      detail: "This key is not aligned with the other keys of its object.",
      hint: "Align it with them.",
      ...misplacedEntry(found),
    }),
  },
  {
    code: "BAD_INDENT",
    pattern: /sequence items/,
    word: (found) => ({
      detail: "This item is not aligned with the other items of its array.",
      hint: "Align it with them.",
      ...misplacedEntry(found),
    }),
  },
  {
    code: "BAD_INDENT",
    word: (found) => ({
      detail: "This line is not indented enough.",
      hint: "Indent it further than the key that it belongs to.",
      ...misplacedEntry(found),
    }),
  },
  { code: "MULTILINE_IMPLICIT_KEY", word: missingColon },
  { code: "BLOCK_AS_IMPLICIT_KEY", pattern: /sequence/, word: itemForKey },
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
      repair: quoteRange(text, error.pos[0]),
    }),
  },
  { code: "BAD_DQ_ESCAPE", word: badEscape },
  { code: "KEY_OVER_1024_CHARS", word: () => ({ detail: "This key is longer than 1024 characters." }) },
  { code: "MISSING_CHAR", pattern: /closing/, word: unclosedQuote },
  { code: "MISSING_CHAR", pattern: /^Flow .* must end/, word: unclosedBracket },
  { code: "MISSING_CHAR", pattern: /map values/, word: keyWithoutValue },
  {
    code: "MISSING_CHAR",
    pattern: /^Missing ,/,
    word: (found) => {
      const place = wordAfter(found);
      const at = { start: place.start, end: place.start, text: ", " };
      return {
        detail: "Missing comma before this.",
        hint: "Insert a comma.",
        place,
        repair: intendedRepair(found.text, at),
      };
    },
  },
  {
    code: "MISSING_CHAR",
    pattern: /space after :/,
    word: (found) => ({
      detail: "Missing space after this colon.",
      hint: "Insert a space after the colon.",
      repair: insertSpace(found, 1),
    }),
  },
  {
    code: "MISSING_CHAR",
    pattern: /- indicator/,
    word: (found) => ({
      detail: "This line is not an item of the array above it.",
      hint: "Start the item with `- `.",
      ...misplacedEntry(found),
    }),
  },
  {
    code: "MISSING_CHAR",
    pattern: /^Comments/,
    word: (found) => ({
      detail: "Missing space before this comment.",
      hint: "Insert a space.",
      repair: insertSpace(found, 0),
    }),
  },
  {
    code: "MISSING_CHAR",
    pattern: /white space/,
    word: (found) => ({
      detail: "Missing space before this.",
      hint: "Insert a space.",
      repair: insertSpace(found, 0),
    }),
  },
  {
    code: "MISSING_CHAR",
    pattern: /^Block scalars/,
    word: () => ({ detail: "The blank line above is indented further than this line." }),
  },
  {
    code: "MISSING_CHAR",
    pattern: /^Block coll/,
    word: () => ({ detail: "An array or object cannot start on the line of `---`." }),
  },
  {
    code: "MISSING_CHAR",
    pattern: /directives-end/,
    word: () => ({ detail: "Missing `---` line after the directives." }),
  },
  {
    code: "UNEXPECTED_TOKEN",
    pattern: /^Unexpected (,|empty)/,
    word: (found) => ({ detail: "Missing value before this comma.", repair: removeCharacter(found) }),
  },
  {
    code: "UNEXPECTED_TOKEN",
    pattern: /flow-(map|seq)-end/,
    word: (found) => ({
      detail: `Unmatched \`${found.text[found.error.pos[0]]}\`.`,
      repair: removeCharacter(found),
    }),
  },
  {
    code: "UNEXPECTED_TOKEN",
    pattern: /block-seq-ind/,
    word: ({ text, error }) => ({
      detail: "An array of `- ` items cannot start on the line of its key.",
      hint: "Start it on the next line.",
      repair: blankEntry(text, error.pos[0]),
    }),
  },
  {
    code: "UNEXPECTED_TOKEN",
    pattern: /^Block scalar header/,
    word: () => ({
      detail: "Only a comment can follow `|` or `>` on the same line.",
      hint: "Start the text on the next line, indented.",
    }),
  },
  { code: "UNEXPECTED_TOKEN", pattern: /at node end/, word: contentAfterEnd },
  { code: "UNEXPECTED_TOKEN", word: () => ({ detail: "Unexpected token." }) },
  { code: "ALIAS_PROPS", word: () => ({ detail: "An alias cannot have an anchor or a tag." }) },
  { code: "BAD_ALIAS", word: () => ({ detail: "Missing name after this character." }) },
  { code: "MULTIPLE_ANCHORS", word: () => ({ detail: "A value cannot have two anchors." }) },
  { code: "MULTIPLE_TAGS", word: () => ({ detail: "A value cannot have two tags." }) },
];

function unclosedQuote({ text, error, document }: YamlSyntaxError): ErrorExplanation {
  let start = error.pos[0];
  visit(document, {
    Scalar(_, node) {
      if (node.range && node.range[0] < error.pos[0] && node.range[1] >= error.pos[0]) start = node.range[0];
    },
  });
  const place = { start, end: start + 1 };
  const quote = text[start];
  const hint = `Add \`${quote}\` at its end.`;
  return { detail: `This string has no closing \`${quote}\`.`, hint, range: place, repair: closeString(text, start) };
}

function unclosedBracket({ text, error, document }: YamlSyntaxError): ErrorExplanation {
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
    range: { start, end: start + 1 },
    note,
    repair: closeBracket(text, start, at),
  };
}

function missingColon(found: YamlSyntaxError): ErrorExplanation {
  const place = firstLine(found);
  const line = found.text.slice(place.start, place.end);
  if (/^- /.test(line)) return itemForKey(found);
  const odd = findLookalike(found.text, place);
  if (odd) return odd;
  const tight = /^[\w-]+:/.exec(line);
  if (!tight)
    return {
      detail: "Missing colon on this line.",
      hint: colonHint,
      range: place,
      repair: addColon(found.text, place),
    };
  const after = place.start + tight[0].length;
  return {
    detail: "Missing space after the colon on this line.",
    hint: colonHint,
    range: place,
    fix: { start: after, end: after, text: " " },
  };
}

const colonHint = "Write `key: value`, with a space after the colon.";

function keyWithoutValue(found: YamlSyntaxError): ErrorExplanation {
  const line = firstLine(found);
  if (/^[\w$-]+\s+\S/.test(found.text.slice(line.start, line.end))) return missingColon(found);
  const place = wordAfter(found);
  const colon = {
    detail: "Missing colon after this key.",
    hint: colonHint,
    place,
    repair: addColon(found.text, place),
  };
  return findLookalike(found.text, line) ?? colon;
}

interface Lookalike {
  readonly at: RegExp;
  readonly name: string;
  readonly plain: string;
}

const lookalikes: readonly Lookalike[] = [
  { at: /(?<=^[\w-]+)\uff1a/, name: "a full-width colon (U+FF1A)", plain: ":" },
  { at: /(?<=^[\w-]+:)[\u00a0\u2007\u202f]/, name: "a no-break space", plain: " " },
  { at: /(?<=^[\w-]+:)[\u2000-\u200a\u3000\u200b]/, name: "a special space", plain: " " },
];

function findLookalike(text: string, line: TextRange): ErrorExplanation | undefined {
  const written = text.slice(line.start, line.end);
  const found = lookalikes.find(({ at }) => at.test(written));
  if (!found) return undefined;
  const { name, plain } = found;
  const start = line.start + found.at.exec(written)!.index;
  const place = { start, end: start + 1 };
  return {
    detail: `This character is ${name}, which YAML treats as part of a string.`,
    hint: plain === " " ? "Replace it with a plain space." : `Replace it with \`${plain}\` and a space.`,
    range: place,
    fix: { ...place, text: plain === ":" && text[start + 1] !== " " ? ": " : plain },
  };
}

function missingComma(found: YamlSyntaxError): ErrorExplanation {
  const { start, end } = firstLine(found);
  const written = found.text.slice(start, end).replace(/[\]}\s,]+$/, "");
  return {
    detail: "Missing comma between these entries in brackets.",
    hint: "Insert a comma between them.",
    range: { start, end: start + written.length },
    repair: insertComma(found.text, { start, end: start + written.length }),
  };
}

function itemForKey(found: YamlSyntaxError): ErrorExplanation {
  return {
    detail: "Expected a key, found an array item.",
    hint: "Move it under the key of its array.",
    ...misplacedEntry(found),
  };
}

function secondColon(found: YamlSyntaxError): ErrorExplanation {
  const place = firstLine(found);
  if (/:(\s|$)/.test(found.text.slice(place.start, place.end))) {
    return {
      detail: "This value contains a colon, which makes it a key.",
      hint: "Put the value in quotes.",
      range: place,
      repair: quoteRange(found.text, place.start),
    };
  }
  const note = columnNote(found.text, place);
  return {
    detail: "The key below is indented as if it were part of this value.",
    hint: "Align it with the key above.",
    range: place,
    note,
    repair: note && blankEntry(found.text, note.start),
  };
}

function columnNote(text: string, value: TextRange): ErrorExplanation["note"] {
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

function badEscape({ text, error }: YamlSyntaxError): ErrorExplanation {
  const start = error.pos[0];
  const end = Math.min(start + 2, text.length);
  return {
    detail: `\`${text.slice(start, end).trimEnd()}\` is not a YAML escape sequence.`,
    hint: "Write a backslash as `\\\\`, or use single quotes.",
    range: { start, end },
  };
}

function contentAfterEnd(found: YamlSyntaxError): ErrorExplanation {
  const place = wordAfter(found);
  const quote = found.text[place.start - 1];
  const hints: { readonly [quote: string]: string } = {
    "'": "Inside single quotes, write a quote twice: `''`.",
    '"': 'Inside double quotes, escape a quote: `\\"`.',
  };
  return {
    detail: "Unexpected text after the end of a value.",
    hint: quote === undefined ? undefined : hints[quote],
    range: place,
    repair: requoteLine(found.text, place.start),
  };
}

function misplacedEntry(found: YamlSyntaxError): Pick<ErrorExplanation, "range" | "repair"> {
  const range = wordAfter(found);
  return { range, repair: blankEntry(found.text, range.start) };
}

const insertSpace = ({ text, error }: YamlSyntaxError, after: number): Repair =>
  intendedRepair(text, { start: error.pos[0] + after, end: error.pos[0] + after, text: " " });

const removeCharacter = ({ text, error }: YamlSyntaxError): Repair =>
  intendedRepair(text, { start: error.pos[0], end: error.pos[0] + 1, text: " " });

function firstLine({ text, error }: YamlSyntaxError): TextRange {
  const start = skipSpace(text, error.pos[0]);
  const lineEnd = text.slice(start, start + 1000).search(/[\r\n]/);
  const line = lineEnd < 0 ? text.slice(start, start + 1000) : text.slice(start, start + lineEnd);
  return { start, end: start + Math.max(1, line.trimEnd().length) };
}

function wordAfter({ text, error }: YamlSyntaxError): TextRange {
  const start = skipSpace(text, error.pos[0]);
  const word = /^[^\s,:[\]{}]+/.exec(text.slice(start, start + 1000))?.[0] ?? "";
  return { start, end: start + Math.max(1, word.length) };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}
