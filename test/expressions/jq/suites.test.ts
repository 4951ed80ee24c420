import { describe, expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { bare } from "./bare.ts";
import { explicit } from "./explicit.ts";
import { loadOracle } from "./oracle.ts";
import { printJq } from "./print.ts";
import { programs } from "./programs.ts";
import { haveSuites, readSuites } from "./suites.ts";

const errorsOf = (program: string) => {
  const query = parseJq(program);
  return isParseError(query) ? [query] : checkNames(query);
};

describe.skipIf(!haveSuites)("jq's own tests (skipped where ../shared/cases/jq is missing)", () => {
  const suites = readSuites();
  const valid = suites.filter(({ input }) => input !== undefined);

  test("are all there", () => {
    expect([suites.length, valid.length]).toEqual([781, 762]);
  });

  test("every program that compiles is taken, but for what a workflow does not have", () => {
    const errors = valid.flatMap(({ program, line }) =>
      errorsOf(program)
        .slice(0, 1)
        .map((error) => ({ program, line, ...error })),
    );
    expect(errors.filter(({ category }) => category !== "unsupported")).toEqual([]);
    const words = errors.map(({ program, from, to }) => program.slice(from, to));
    expect(words.sort()).toEqual([
      ...["$ENV", "debug", "env"],
      ...["import", "import", "import", "import", "import", "import", "include", "include", "include", "input"],
      ...["modulemeta", "modulemeta", "modulemeta"],
    ]);
  });

  test("every program that does not compile is refused", () => {
    const failing = suites.filter(({ input }) => input === undefined);
    expect(failing.filter(({ program }) => errorsOf(program).length === 0)).toEqual([]);
  });
});

describe("what is printed", async () => {
  const oracle = await loadOracle();
  const cases = [
    ...programs.map((program) => ({ program, input: '{"a":[1,{"b":2}],"c":"d"}' })),
    ...readSuites(),
  ].flatMap(({ program, input }) => {
    const query = parseJq(program);
    return isParseError(query) || input === undefined ? [] : [{ program, input, query, printed: printJq(query) }];
  });

  test("is the same tree", () => {
    const others = cases.filter(({ query, printed }) => {
      const again = parseJq(printed);
      return isParseError(again) || bare(again) !== bare(query);
    });
    expect(others).toEqual([]);
  });

  test("is the same program to jq's compiler, also with all parentheses: the tree is jq's", { timeout: 60_000 }, () => {
    const others = cases.filter(({ program, query, printed }) => {
      const code = oracle.bytecode(program);
      return code !== oracle.bytecode(printed) || code !== oracle.bytecode(explicit(query));
    });
    expect(others.map(({ program }) => program)).toEqual(otherwiseCompiled);
  });

  test("gives the same outputs", { timeout: 60_000 }, () => {
    const fit = cases.filter(({ program }) => !changes.test(program) && !breaks.test(program));
    const others = fit.filter(
      ({ program, input, printed }) => oracle.run(printed, input) !== oracle.run(program, input),
    );
    expect(others.map(({ program }) => program)).toEqual([]);
  });
});

/** jq compiles `{"a"}` and `{a}` differently, with the same result. */
const otherwiseCompiled: readonly string[] = readSuites().flatMap(({ program }) =>
  program.startsWith('{"a",b,') ? [program] : [],
);

/** Programs whose output varies with time or line numbers. */
const changes = /now|\$__loc__/;

/** Programs whose nesting makes jq-wasm trap, hang or take a second. */
const breaks = /\b(?:9999|1000[01]|365)\b/;
