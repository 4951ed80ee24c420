import fc from "fast-check";

/** A pattern, jq's flags and a string to search. */
export interface Search {
  readonly pattern: string;
  readonly flags: string;
  readonly text: string;
}

const literal = fc.constantFrom(
  ...[
    "a",
    "b",
    "c",
    "s",
    "t",
    "f",
    "i",
    "A",
    "S",
    "K",
    "1",
    "0",
    "_",
    " ",
    "-",
    ".",
    "é",
    "É",
    "ß",
    "😀",
    ",",
    "\n",
    "#",
    "k",
    "ſ",
    "Σ",
    "ς",
    "}",
    "]",
  ],
  ...["\\.", "\\-", "\\/", "\\n", "\\t", "\\x41", "\\x{e9}", "\\x{1F600}", "\\<", "\\a", "\\e"],
);
const set = fc.constantFrom(
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  ".",
  "\\p{L}",
  "\\P{L}",
  "\\p{Lu}",
  "\\p{^N}",
  "\\p{Greek}",
);
const member = fc.oneof(
  literal.filter((text) => !/^[\]-]$/.test(text)),
  fc.constantFrom("a-c", "0-9", "A-Z", "é-ü", "😀-😂", "!-/", "\\x{20}-\\x{7e}", "\\d", "\\w", "\\s", "\\W", "\\p{L}"),
  fc.constantFrom(
    "[:alpha:]",
    "[:digit:]",
    "[:space:]",
    "[:alnum:]",
    "[:xdigit:]",
    "[:upper:]",
    "[:lower:]",
    "[:^digit:]",
  ),
);
const characterClass = fc
  .tuple(fc.constantFrom("[", "[^"), fc.array(member, { minLength: 1, maxLength: 3 }), fc.constantFrom("]", "]", "-]"))
  .map(([open, members, close]) => open + members.join("") + close);
const quantifier = fc.oneof(
  { weight: 2, arbitrary: fc.constant("") },
  fc.constantFrom("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}", "{1,}", "{1,2}?", "*+", "++", "?+"),
);
const opening = fc.constantFrom(
  "(",
  "(",
  "(?:",
  "(?<n>",
  "(?<m2>",
  "(?i:",
  "(?s:",
  "(?>",
  "(?-i:",
  "(?=",
  "(?!",
  "(?<=",
  "(?<!",
);
const edge = fc.constantFrom("^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z", "\\1", "\\k<n>");

const { alternatives } = fc.letrec<{ atom: string; sequence: string; alternatives: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: "small" },
    literal,
    literal,
    set,
    characterClass,
    edge,
    fc.tuple(opening, tie("alternatives")).map(([open, inside]) => `${open}${inside})`),
  ),
  sequence: fc.array(fc.tuple(tie("atom"), quantifier), { maxLength: 4 }).map((parts) => parts.flat().join("")),
  alternatives: fc.array(tie("sequence"), { minLength: 1, maxLength: 2 }).map((branches) => branches.join("|")),
}));

const piece = fc.oneof(
  fc.constantFrom(..."abcstfiASK10_ -.éÉß\n\t/", "😀"),
  fc.constantFrom(
    "ss",
    "ﬁ",
    "σ",
    "ς",
    "K",
    "ſ",
    "\x85",
    "\u00a0",
    "\ufeff",
    "\u2028",
    "\r",
    "٣",
    "ª",
    "\u0301",
    "‿",
    "İ",
    "ı",
    "\0",
  ),
);

/** Searches with patterns in Perl's syntax, many of them unsupported. */
export const search: fc.Arbitrary<Search> = fc.record({
  pattern: fc.tuple(fc.constantFrom("", "", "", "", "(?i)", "(?s)"), alternatives).map((parts) => parts.join("")),
  flags: fc.constantFrom("", "", "g", "g", "i", "gi", "x", "gx", "s", "p", "gm"),
  text: fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join("")),
});
