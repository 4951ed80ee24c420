import fc from "fast-check";

const character = fc.constantFrom(
  ..."abk1_ \n🍐",
  ...["\\n", "[ab]", "[^a]", "[^a🍐]", "[🍐-🍗b]", "[a-k\\u0085]", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S"],
  ...["[\\s\\S]", "[^\\W\\d]", "[\\D]", "\\u0085", "\\x{2028}", "[[:digit:]]"],
);

/** Assertions and repetitions. */
const unquantified = fc.constantFrom(
  ...["^", "$", "\\b", "\\B", "\\Z", "(?=a)", "(?!b)", "(?<=a)", "(?<!🍐)", "(?<!\\d{2})", "(?![^a])", "(?=.b)"],
  ...[".*", ".*?", "[^b]+", "\\S*"],
);

const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}", "{2,}?");

const { alternatives } = fc.letrec<{ part: string; sequence: string; alternatives: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small" },
    fc.tuple(character, quantifier).map((parts) => parts.join("")),
    unquantified,
    fc
      .tuple(fc.constantFrom("(", "(?:", "(?i:", "(?s:"), tie("alternatives"), quantifier)
      .map(([open, inside, sign]) => `${open}${inside})${sign}`),
    fc.tuple(fc.constantFrom("(?=", "(?!"), tie("alternatives")).map(([open, inside]) => `${open}${inside})`),
  ),
  sequence: fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
  alternatives: fc.array(tie("sequence"), { minLength: 1, maxLength: 2 }).map((branches) => branches.join("|")),
}));

/** Patterns for the operator `matches`, some of them unsupported. */
export const pattern: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("", "", "", "^", "(?i)"), alternatives)
  .map((parts) => parts.join(""));

/** Strings with the characters that engines treat differently. */
export const text: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(..."abAK1_ \n\r🍐🍗é", "\u212a", "\u017f", "\u0085", "\u00a0", "\u2028", "\ud83c", "\udf50"),
  maxLength: 6,
});
