import fc from "fast-check";

type Text = fc.Arbitrary<string>;

const joined = (...parts: readonly (string | Text)[]): Text =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((texts) => texts.join(""));
const list = (item: Text, separator: Text, minLength: number, maxLength: number): Text =>
  fc.tuple(fc.array(item, { minLength, maxLength }), separator).map(([items, between]) => items.join(between));

const space: Text = fc.constantFrom("", "", "", " ", "\t \n");
const name = fc.constantFrom("a", "b", "k", "__proto__", "constructor", "ü");
const quoted = fc.constantFrom(
  "'a'",
  '"b"',
  "'a b'",
  '"it\'s"',
  "'\\u2028\\n'",
  "'\\ud83d\\ude00'",
  '"__proto__"',
  "''",
  "'\\''",
  "'</script>${`'",
);
const index = fc.integer({ min: -3, max: 3 }).map(String);
const bound: Text = fc.oneof(fc.constant(""), index);
const slice = joined(bound, space, ":", space, bound, fc.constantFrom("", ":", ":-1", ":2", ":0"));
const number = fc.constantFrom("0", "-0", "1", "1.5", "-2e1", "1E+400", "10", "0.0000001");
const literal: Text = fc.oneof(quoted, number, fc.constantFrom("true", "false", "null"));
const pattern = fc.constantFrom("'a'", "'.*'", "'[^b]+'", "'a|b'", '"\\\\p{L}"', "'('", "1");

type Parts = { condition: string; value: string; path: string; single: string };

/** Paths in one dialect; `more` holds the syntax of the lenient dialect. */
function paths(strict: boolean): Text {
  const tolerant = (...texts: readonly string[]): readonly Text[] => (strict ? [] : [fc.constantFrom(...texts)]);
  const more = strict ? "" : fc.constantFrom("", "", ".length()", ".size( )", ".");
  const equal = fc.constantFrom("==", "!=", "<", "<=", ">", ">=", ...(strict ? [] : ["===", "!=="]));
  const step: Text = fc.oneof(
    joined(".", name),
    joined("[", space, quoted, space, "]"),
    joined("[", index, "]"),
    ...tolerant(".a-b", ".0", ".[0]", ".first()", ".index(1)", "[(@.length-1)]"),
  );
  const { condition, path } = fc.letrec<Parts>((tie) => {
    const selector: Text = fc.oneof(quoted, index, slice, fc.constant("*"), joined("?", space, tie("condition")));
    const segment: Text = fc.oneof(
      step,
      step,
      joined(space, fc.constantFrom("", ".."), "[", space, list(selector, fc.constant(" ,"), 1, 2), space, "]"),
      joined("..", name),
      fc.constantFrom(".*", "..*"),
    );
    const start = fc.constantFrom("@", "@", "$");
    const value: Text = fc.oneof(
      { maxDepth: 2 },
      joined(tie("single"), more),
      literal,
      joined("length(", space, tie("value"), space, ")"),
      joined("count(", tie("path"), ")"),
      joined("value( ", tie("path"), ")"),
    );
    const matching = joined(
      fc.constantFrom("match", "search"),
      "(",
      tie("value"),
      ",",
      space,
      fc.oneof({ weight: 3, arbitrary: pattern }, { weight: 1, arbitrary: tie("single") }),
      ")",
    );
    return {
      path: joined(start, list(segment, fc.constant(""), 0, 3)),
      single: joined(start, list(step, fc.constant(""), 0, 2)),
      value,
      condition: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        joined(fc.constantFrom("", "!", "! "), tie("path")),
        joined(tie("value"), space, equal, space, tie("value")),
        joined(fc.constantFrom("", "!"), matching),
        joined(fc.constantFrom("", "!", "! "), "(", space, tie("condition"), space, ")"),
        joined(tie("condition"), space, fc.constantFrom("&&", "||"), space, tie("condition")),
        ...(strict
          ? []
          : [
              joined(tie("single"), fc.constantFrom(" in ", " nin "), "[", list(literal, fc.constant(", "), 1, 3), "]"),
            ]),
      ),
    };
  });
  const filtered = joined("$", fc.constantFrom("", ".a", "[0]", ".."), "[?", condition, "]");
  return fc.oneof(
    path.map((text) => text.replace(/^@/, "$")),
    filtered,
    filtered,
  );
}

/** Random paths of RFC 9535, nearly all valid. */
export const strictPaths: Text = paths(true);

/** Random paths with extensions of other dialects. */
export const tolerantPaths: Text = paths(false);
