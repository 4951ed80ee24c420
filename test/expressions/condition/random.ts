import fc from "fast-check";
import type { ConditionLanguage } from "../../../src/expressions/syntax/condition/languages.ts";
import type { Json } from "../../../src/json.ts";

/** Data with the members that random conditions use. */
export const conditionData: fc.Arbitrary<Json> = fc.record(
  {
    n: fc.constantFrom<Json>(0, 1, 2, -3, 7, 7.5, "5", null, "x"),
    m: fc.constantFrom<Json>(1, 2, 3, -2, 0.5),
    s: fc.constantFrom<Json>("", "he", "hello", "a😀b", "Ab c", null, 3, ["he"]),
    on: fc.constantFrom<Json>(true, false, null, "false", ""),
    l: fc.constantFrom<Json>([], [1, 2, 3], ["he", "x"], [{ a: 1 }, { a: 2, b: "x" }, {}], { he: 1 }, null, [
      null,
      [1],
    ]),
    o: fc.constantFrom<Json>({}, { k: 1 }, { k: null }, { k: { he: "x" } }, [], "k", null),
  },
  { requiredKeys: [] },
);

/** A random condition of a language, and whether it may be one that the parser rejects for its types. */
export const conditionOf = (language: ConditionLanguage): fc.Arbitrary<string> =>
  fc.letrec<{ condition: string; number: string; text: string; list: string; value: string }>((tie) => {
    const condition = tie("condition");
    const [number, text, list, value] = [tie("number"), tie("text"), tie("list"), tie("value")];
    const join = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
      fc
        .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
        .map((all) => all.join(""));
    const { conditions, numbers, texts, lists } = forms(language, { condition, number, text, list, value, join });
    const compare = fc.constantFrom(" == ", " != ", " < ", " <= ", " > ", " >= ");
    return {
      condition: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("on", "o.k", "$.on", "!on", "n > 2", "s == 'he'", "n != null", "o.k == null", "n != 'x'"),
        join("(", number, ")", compare, "(", number, ")"),
        join("(", text, ")", fc.constantFrom(" == ", " != "), "(", text, ")"),
        join("(", condition, ") && (", condition, ")"),
        join("(", condition, ") || (", condition, ")"),
        join("!(", condition, ")"),
        join("(", condition, ") ? (", condition, ") : (", condition, ")"),
        join("(", value, ") in (", list, ")"),
        ...conditions,
      ),
      number: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("0", "1", "2", "7.5", "n", "m", "$.n", "$.m", "o.k", "o['k']", "l[0]", "l[1].a"),
        join("(", number, ")", fc.constantFrom(" + ", " - ", " * ", " / ", " % "), "(", number, ")"),
        join("-(", number, ")"),
        ...numbers,
      ),
      text: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("s", "$.s", "'he'", "''", "o.k", "'a😀b'", "o.k.he"),
        ...texts,
      ),
      list: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("l", "$.l", "o", "$.l[*]"),
        ...lists,
      ),
      value: fc.oneof(number, text, fc.constantFrom("true", "null")),
    };
  }).condition;

interface Parts {
  readonly condition: fc.Arbitrary<string>;
  readonly number: fc.Arbitrary<string>;
  readonly text: fc.Arbitrary<string>;
  readonly list: fc.Arbitrary<string>;
  readonly value: fc.Arbitrary<string>;
  readonly join: (...parts: readonly (string | fc.Arbitrary<string>)[]) => fc.Arbitrary<string>;
}

interface Forms {
  readonly conditions: readonly fc.Arbitrary<string>[];
  readonly numbers: readonly fc.Arbitrary<string>[];
  readonly texts: readonly fc.Arbitrary<string>[];
  readonly lists: readonly fc.Arbitrary<string>[];
}

function forms(language: ConditionLanguage, parts: Parts): Forms {
  const { text, join } = parts;
  const methods = [
    join("(", text, ").startsWith(", text, ")"),
    join("(", text, ").endsWith(", text, ")"),
    join("(", text, ").contains(", text, ")"),
    join("(", text, ").matches('h.*|a.b')"),
  ];
  switch (language) {
    case "spel":
      return spelForms(parts, methods);
    case "jexl":
      return jexlForms(parts, methods);
    case "cel":
      return celForms(parts, methods);
  }
}

const element = fc.constantFrom("#this == 1", "a > 1", "#this != 'he'", "b == #root.s", "a != null");

function spelForms({ number, text, list, value, join }: Parts, methods: Forms["conditions"]): Forms {
  return {
    conditions: [
      ...methods,
      join("(", text, ") matches '[a-h]+'"),
      join("(", list, ").contains(", value, ")"),
      join("(", number, ") between {1, 5}"),
      join("(", text, ")?.startsWith('h')"),
      join("(", list, ").isEmpty()"),
    ],
    numbers: [
      join("(", list, ").size()"),
      join("(", text, ").length()"),
      join("(", number, ") ?: 2"),
      join("(", text, ").indexOf('e')"),
      join("(", list, ").![#this].size()"),
    ],
    texts: [join("'<' + (", value, ")"), join("(", text, ") ?: 'he'"), join("(", text, ").substring(1)")],
    lists: [
      join("{", value, ", ", value, "}"),
      join("(", list, ").?[", element, "]"),
      join("(", list, ").![a]"),
      join("{(", list, ").^[", element, "], (", list, ").$[", element, "]}"),
    ],
  };
}

function jexlForms({ number, text, list, value, join }: Parts, methods: Forms["conditions"]): Forms {
  return {
    conditions: [
      ...methods,
      join("(", text, ") =~ '[a-h]+'"),
      join("(", value, ") =~ [1, 'he', n]"),
      join("(", value, ") !~ (", list, ")"),
      join("(", text, ") =^ 'h'"),
      join("(", text, ") !$ (", text, ")"),
      join("empty(", value, ")"),
      join("not empty l"),
    ],
    numbers: [join("size(", list, ")"), join("(", number, ") ?? 2"), join("(", number, ") ?: 3")],
    texts: [join("'<' + (", value, ")"), join("(", text, ")?.trim()")],
    lists: [join("[", value, ", ", value, "]")],
  };
}

function celForms({ number, text, list, value, join }: Parts, methods: Forms["conditions"]): Forms {
  const test = fc.constantFrom("x == 1", "x.a > 1", "x != 'he'", "x == s", "has(x.a)", "y.exists(z, z == x)");
  return {
    conditions: [
      ...methods,
      fc.constantFrom("has(o.k)", "has(o.k.he)", "has($.n)"),
      ...["all", "exists", "exists_one"].map((macro) => join("(", list, `).${macro}(x, `, test, ")")),
    ],
    numbers: [
      join("size(", list, ")"),
      join("(", list, ").size()"),
      join("int(", number, ")"),
      join("double(", number, ")"),
    ],
    texts: [join("string(", value, ")"), join("(", text, ") + (", text, ")")],
    lists: [
      join("[", value, ", ", value, "]"),
      join("(", list, ").filter(x, ", test, ")"),
      join("(", list, ").map(x, x)"),
      join("(", list, ").map(x, ", test, ", [x])"),
    ],
  };
}
