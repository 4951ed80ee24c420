import { expect, test } from "vitest";
import { laidOut } from "../../../../targets/typescript/layout/layout.ts";

const long = "aVeryLongNameOfAnArgumentThatNeedsRoom";

const statement = (text: string): string =>
  laidOut(`const f = async () => {\n${text}\n};`).split("\n").slice(1, -2).join("\n");

test("what fits stays on one line, and parentheses that say nothing go", () => {
  expect(statement("if ((a.b === 1)) { x = ((y)); }")).toBe("  if (a.b === 1) {\n    x = y;\n  }");
  expect(statement("x = (a?.b).c;\nz = (a || b) && c;")).toBe("  x = (a?.b).c;\n  z = (a || b) && c;");
});

test("arguments stand below each other where there is no room, a last function or object begins on the line of the call", () => {
  expect(statement(`await call(${long}, ${long}, ${long});`)).toBe(
    `  await call(\n    ${long},\n    ${long},\n    ${long},\n  );`,
  );
  expect(statement(`await call(a, (step) => fn.work({ one: ${long}, two: 2 }, three, step));`)).toBe(
    `  await call(a, (step) =>\n    fn.work({ one: ${long}, two: 2 }, three, step),\n  );`,
  );
  expect(statement(`x = merge(x, { one: ${long}, two: ${long}, three: 3 });`)).toBe(
    `  x = merge(x, {\n    one: ${long},\n    two: ${long},\n    three: 3,\n  });`,
  );
});

test("comments stay before what they are about, also where nothing comes after them", () => {
  expect(statement("// one\na();\ndo {\n// two\nb();\n// three\n} while (c);")).toBe(
    "  // one\n  a();\n  do {\n    // two\n    b();\n    // three\n  } while (c);",
  );
});

test("a text that is laid out is not changed when it is laid out again", () => {
  const text = laidOut(
    `import { a } from "./a.ts";\n/** Doc. */\nexport const f = async (x: A, ...y) => { while (true) { if (a) { b(); } else if (c) { break; } else { throw d; } } };`,
  );
  expect(laidOut(text)).toBe(text);
});
