import { expect, test } from "vitest";
import {
  brokenGroup,
  choice,
  type Document,
  group,
  hardLine,
  ifBroken,
  indent,
  indentIfBroken,
  join,
  line,
  oneLine,
  render,
  softLine,
  trailingComma,
} from "../../src/layout/index.ts";

const list = (items: readonly Document[]): Document =>
  group(["[", indent([softLine, join([",", line], items), trailingComma]), softLine, "]"]);

test("a group is on one line if it fits with what follows up to the next possible break", () => {
  const document = [list(["aaa", "bbb"]), ";"];
  expect(render(document, 11)).toBe("[aaa, bbb];");
  expect(render(document, 10)).toBe("[\n  aaa,\n  bbb,\n];");
  expect(render([list(["aaa", "bbb"]), group([line, "cccc"])], 10)).toBe("[aaa, bbb]\ncccc");
});

test("outer groups are broken before inner ones", () => {
  expect(render(list([list(["a", "b"]), list(["c", "d"])]), 10)).toBe("[\n  [a, b],\n  [c, d],\n]");
});

test("a hard line breaks the groups around it", () => {
  expect(render(group(["{", indent([line, "a", hardLine, "b"]), line, "}"]), 80)).toBe("{\n  a\n  b\n}");
});

test("a choice prints the first state that fits, or the last one broken", () => {
  const call = (items: readonly Document[]): Document =>
    choice([
      ["f(", list(items), ")"],
      ["f(", brokenGroup(["[", indent([line, join([",", line], items)]), line, "]"]), ")"],
      brokenGroup(["f(", indent([softLine, list(items)]), softLine, ")"]),
    ]);
  expect(render(call(["aa", "bb"]), 80)).toBe("f([aa, bb])");
  expect(render(call(["aa", "bb"]), 9)).toBe("f([\n  aa,\n  bb\n])");
  expect(render(["long = ", call(["aa", "bb"])], 8)).toBe("long = f(\n  [\n    aa,\n    bb,\n  ]\n)");
});

test("contents are indented if an earlier group is broken", () => {
  const gap = group(indent(line));
  const assignment = (value: string): Document =>
    group(["left =", gap, indentIfBroken(group([value, line, "c"]), gap)]);
  expect(render(assignment("bb"), 80)).toBe("left = bb c");
  expect(render(assignment("bbbbbb"), 12)).toBe("left =\n  bbbbbb c");
});

test("parts depend on whether their group is broken", () => {
  const document = group([ifBroken("(", "<"), indent([softLine, "content"]), softLine, ifBroken(")", ">")]);
  expect(render(document, 9)).toBe("<content>");
  expect(render(document, 8)).toBe("(\n  content\n)");
});

test("one line stays one line", () => {
  expect(render(oneLine(list(["aaaa", "bbbb"])), 4)).toBe("[aaaa, bbbb]");
});

test("lines have no trailing spaces", () => {
  expect(render(["a ", brokenGroup([line, "b"])], 80)).toBe("a\nb");
});

test("code points have a width of one", () => {
  expect(render(group(["😀😀", line, "a"]), 4)).toBe("😀😀 a");
});

test("deep and long documents have text of linear size", () => {
  const nested = (depth: number): Document => (depth === 0 ? "x" : list([nested(depth - 1), "y"]));
  expect(render(nested(1000), 40).length).toBeLessThan(1_000_000);
  expect(render(list(Array.from({ length: 50_000 }, (_, i) => `${i}`)), 40)).toContain("\n  49999,\n]");
});
