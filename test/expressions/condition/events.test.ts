import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  alternativesOf,
  type EventAlternative,
  type EventExpression,
  parseEvents,
} from "../../../src/expressions/syntax/condition/events.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";

const names: ReadonlySet<string> = new Set([
  "A",
  "B",
  "C",
  "order-placed",
  "order.paid",
  "and-then",
  "two words",
  "name",
]);

function parse(text: string, known = names): EventExpression {
  const events = parseEvents(text, { names: known });
  if (isParseError(events)) throw new Error(`${text}: ${events.message}`);
  return events.expression;
}

function alternatives(text: string, known = names): readonly EventAlternative[] {
  const found = alternativesOf(parse(text, known));
  if (isParseError(found)) throw new Error(`${text}: ${found.message}`);
  return found;
}

const shown = (text: string) =>
  alternatives(text).map(({ all, none }) =>
    [...all.map(({ name }) => name), ...none.map(({ name }) => `-${name}`)].join(" "),
  );

function printed(expression: EventExpression): string {
  switch (expression.kind) {
    case "event":
      return expression.name;
    case "not":
      return `not ${printed(expression.item)}`;
    default:
      return `(${expression.items.map(printed).join(` ${expression.kind} `)})`;
  }
}

describe("event expressions", () => {
  test.each([
    ["A", "A"],
    ["A or B and C", "(A or (B and C))"],
    ["A OR B || C", "(A or B or C)"],
    ["(A or B) && not C", "((A or B) and not C)"],
    ["!A and (B)", "(not A and B)"],
    ["order-placed and order.paid and and-then", "(order-placed and order.paid and and-then)"],
    [" two words ", "two words"],
    ["name or A", "(name or A)"],
  ])("%s is %s", (text, expected) => {
    expect(printed(parse(text))).toBe(expected);
  });

  test("have the positions of their parts", () => {
    expect(parseEvents("A and (B or !C)", { names })).toEqual({
      expression: {
        kind: "and",
        from: 0,
        to: 15,
        items: [
          { kind: "event", name: "A", from: 0, to: 1 },
          {
            kind: "or",
            from: 6,
            to: 15,
            items: [
              { kind: "event", name: "B", from: 7, to: 8 },
              { kind: "not", from: 12, to: 14, item: { kind: "event", name: "C", from: 13, to: 14 } },
            ],
          },
        ],
      },
      warnings: [],
    });
  });

  test("a comparison with the name is read as the name, with a warning", () => {
    expect(parseEvents("A or name eq 'two words'", { names })).toMatchObject({
      expression: { kind: "or", items: [{ name: "A" }, { kind: "event", name: "two words", from: 5, to: 24 }] },
      warnings: [
        {
          from: 5,
          to: 24,
          message: "`name eq 'two words'` is read as the event `two words`; write only its name.",
        },
      ],
    });
    expect(printed(parse("Name == \"A\" and (name eq 'B')"))).toBe("(A and B)");
  });

  test.each([
    ["", "syntax", 0, 0, "An event name is missing before the end of the expression."],
    ["A and", "syntax", 5, 5, "An event name is missing before the end of the expression."],
    ["A and or B", "syntax", 6, 8, "An event name is missing before `or`."],
    ["A B", "unsupported", 2, 3, "The operator `B` is not supported in event expressions."],
    ["(A or B", "syntax", 7, 7, "`)` is missing before the end of the expression."],
    ["A or B)", "syntax", 6, 7, "An operator or the matching `(` is missing before `)`."],
    ["A and order-placde", "unknown", 6, 18, "Unknown event `order-placde`."],
    ["$.a", "syntax", 0, 1, "An event name is missing before `$`."],
    ["'A'", "syntax", 0, 3, "An event name is missing before a string."],
    ["A(1)", "unsupported", 0, 1, "Functions are not supported in event expressions."],
    ["order. paid", "syntax", 5, 6, "A name is missing after `.`."],
    ["A ? B : C", "unsupported", 2, 3, "The operator `?` is not supported in event expressions."],
    ["source eq 'x'", "unsupported", 7, 9, "The operator `eq` is not supported in event expressions."],
    ["name ne 'A'", "unsupported", 5, 7, "The operator `ne` is not supported in event expressions."],
    ["name eq A", "syntax", 8, 9, "An event name in quotes is missing before `A`."],
    ["name eq 'D'", "unknown", 9, 10, "Unknown event `D`."],
    ["not name eq 'A'", "unsupported", 9, 11, "The operator `eq` is not supported in event expressions."],
    ["A = B", "syntax", 2, 3, "The operator `=` is not supported in event expressions."],
  ])("%j is an error", (text, category, from, to, message) => {
    expect(parseEvents(text, { names })).toMatchObject({ category, from, to, message });
  });

  test("suggest what to write", () => {
    expect(parseEvents("A B", { names })).toMatchObject({ hint: "Join events by `and` or `or`." });
    expect(parseEvents("'A'", { names })).toMatchObject({ hint: "Write event names without quotes." });
    expect(parseEvents("order-placde", { names })).toMatchObject({ hint: "Did you mean `order-placed`?" });
  });
});

describe("alternatives", () => {
  test.each([
    ["A", ["A"]],
    ["A and (B or C)", ["A B", "A C"]],
    ["order-placed OR A && B", ["order-placed", "A B"]],
    ["(A or B) and not C", ["A -C", "B -C"]],
    ["A and not (B or C)", ["A -B -C"]],
    ["A and not (B and C)", ["A -B", "A -C"]],
    ["A or A and B", ["A"]],
    ["A and B or A", ["A B", "A"]],
    ["A and !A or B", ["B"]],
    ["A and A", ["A"]],
    ["A or A", ["A"]],
    ["not not A", ["A"]],
  ])("of %s", (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test.each([
    ["not A", "unsupported", 4, 5, "`not A` waits for no event."],
    ["B or (not A)", "unsupported", 10, 11, "`not A` waits for no event."],
    ["A and not A", "syntax", 0, 11, "No combination of events can satisfy this."],
  ])("%s has none", (text, category, from, to, message) => {
    expect(alternativesOf(parse(text))).toMatchObject({ category, from, to, message });
  });

  test("are at most a thousand, found in bounded time", () => {
    const pairs = Array.from({ length: 11 }, (_, i) => [`a${i}`, `b${i}`] as const);
    const known = new Set(pairs.flat());
    const text = (count: number) =>
      pairs
        .slice(0, count)
        .map(([a, b]) => `(${a} or ${b})`)
        .join(" and ");
    expect(alternatives(text(9), known)).toHaveLength(512);
    expect(alternativesOf(parse(text(10), known))).toMatchObject({ category: "limit", from: 0, to: text(10).length });
    const many = Array.from({ length: 50_000 }, (_, i) => `e${i}`);
    const set = new Set(many);
    expect(alternatives(many.join(" and "), set)).toHaveLength(1);
    expect(alternativesOf(parse(many.join(" or "), set))).toMatchObject({ category: "limit" });
    expect(alternatives("(A or B) and ".repeat(50_000).concat("C"))).toHaveLength(2);
  });

  const tree = fc.letrec<{ tree: EventExpression }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc
        .constantFrom("A", "B", "C", "order-placed", "order.paid")
        .map((name): EventExpression => ({ kind: "event", name, from: 0, to: 0 })),
      fc
        .record({
          kind: fc.constantFrom("and" as const, "or" as const),
          items: fc.array(tie("tree"), { minLength: 2, maxLength: 4 }),
        })
        .map((node): EventExpression => ({ ...node, from: 0, to: 0 })),
      tie("tree").map((item): EventExpression => ({ kind: "not", item, from: 0, to: 0 })),
    ),
  })).tree;

  const holds = (expression: EventExpression, come: ReadonlySet<string>): boolean => {
    switch (expression.kind) {
      case "event":
        return come.has(expression.name);
      case "not":
        return !holds(expression.item, come);
      case "and":
        return expression.items.every((item) => holds(item, come));
      case "or":
        return expression.items.some((item) => holds(item, come));
    }
  };

  test("are satisfied by the same sets of events as the expression", () => {
    let compared = 0;
    fc.assert(
      fc.property(tree, fc.subarray([...names]), (expression, some) => {
        const come = new Set(some);
        const read = parse(printed(expression));
        expect(holds(read, come)).toBe(holds(expression, come));
        const found = alternativesOf(read);
        if (isParseError(found)) return;
        compared += 1;
        const any = found.some(
          ({ all, none }) => all.every(({ name }) => come.has(name)) && !none.some(({ name }) => come.has(name)),
        );
        expect(any).toBe(holds(expression, come));
      }),
      { seed: 5, numRuns: 5_000 },
    );
    expect(compared).toBeGreaterThan(1_000);
  });
});
