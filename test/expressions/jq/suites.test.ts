import { describe, expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { withoutPositions } from "./drawing.ts";
import { explicit } from "./explicit.ts";
import { loadOracle } from "./oracle.ts";
import { printJq } from "./print.ts";
import { programs } from "./programs.ts";
import { haveSuites, readSuites } from "./suites.ts";

const errorsOf = (program: string) => {
  const query = parseJq(program);
  return isParseError(query) ? [query] : checkNames(query);
};

describe.skipIf(!haveSuites)("jq's own tests (skipped without ../shared/cases/jq)", () => {
  const suites = readSuites();
  const valid = suites.filter(({ input }) => input !== undefined);

  test("are complete", () => {
    expect([suites.length, valid.length]).toEqual([781, 762]);
  });

  test("every program that compiles is accepted, except for features that workflows lack", () => {
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

  test("every program that does not compile is rejected", () => {
    const failing = suites.filter(({ input }) => input === undefined);
    expect(failing.filter(({ program }) => errorsOf(program).length === 0)).toEqual([]);
  });
});

describe("printed programs", async () => {
  const oracle = await loadOracle();
  const cases = [
    ...programs.map((program) => ({ program, input: '{"a":[1,{"b":2}],"c":"d"}' })),
    ...readSuites(),
  ].flatMap(({ program, input }) => {
    const query = parseJq(program);
    return isParseError(query) || input === undefined ? [] : [{ program, input, query, printed: printJq(query) }];
  });

  test("parse to the same tree", () => {
    const others = cases.filter(({ query, printed }) => {
      const again = parseJq(printed);
      return isParseError(again) || withoutPositions(again) !== withoutPositions(query);
    });
    expect(others).toEqual([]);
  });

  test("compile to the same program in jq, also with all parentheses", { timeout: 60_000 }, () => {
    const others = cases.filter(({ program, query, printed }) => {
      const code = oracle.bytecode(program);
      return code !== oracle.bytecode(printed) || code !== oracle.bytecode(explicit(query));
    });
    expect(others.map(({ program }) => program)).toEqual(otherwiseCompiled);
  });

  test("have the same outputs", { timeout: 60_000 }, () => {
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
