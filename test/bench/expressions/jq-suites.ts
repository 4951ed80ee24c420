import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { loadOracle } from "../../expressions/jq/oracle.ts";
import { haveSuites, readSuites } from "../../expressions/jq/suites.ts";
import {
  judgeSuiteCase,
  type RunningCase,
  type SuiteRunner,
  type SuiteVerdict,
} from "../../expressions/jq/suites-judged.ts";
import { run } from "../../expressions/js/running.ts";
import { type BenchmarkRow, skippedRow } from "../row.ts";
import { evaluate } from "./differential/subjects.ts";

/** Runs jq 1.8.2's own tests as JavaScript and in the evaluator. */
export async function jqSuiteRows(): Promise<readonly BenchmarkRow[]> {
  if (!haveSuites) return [skippedRow("jq's own tests", "programs")];
  const oracle = await loadOracle();
  const tests = readSuites();
  const running = tests.filter((test): test is RunningCase => test.input !== undefined);
  const judged = (runner: SuiteRunner) => running.map((test) => ({ ...test, ...judgeSuiteCase(test, runner, oracle) }));
  const javascript = judged((expression, input) => run(expression, input));
  return [...javascriptRows(javascript), evaluatorRow(judged(evaluate)), brokenRow(tests)];
}

type JudgedTest = SuiteVerdict & RunningCase;

function javascriptRows(verdicts: readonly JudgedTest[]): readonly BenchmarkRow[] {
  const wrong = verdicts.filter(({ kind }) => kind === "wrong");
  const incomplete = verdicts.filter(({ kind }) => kind === "refused" || kind === "limited");
  const name = "jq's own tests as JavaScript";
  const parts = countsOf(verdicts);
  return [
    {
      name: `${name}: rejected or wrong`,
      value: incomplete.length + wrong.length,
      limit: 10,
      unit: "programs",
      parts,
      list: incomplete.map(shown),
    },
    { name: `${name}: wrong results`, value: wrong.length, limit: 0, unit: "programs", parts, list: wrong.map(shown) },
  ];
}

/** Lists the depth limits too: the evaluator's are lower than those of compiled programs. */
function evaluatorRow(verdicts: readonly JudgedTest[]): BenchmarkRow {
  const wrong = verdicts.filter(({ kind }) => kind === "wrong");
  const listed = [...wrong, ...verdicts.filter(({ kind }) => kind === "limited")];
  return {
    name: "jq's own tests in the evaluator: wrong results",
    value: wrong.length,
    limit: 0,
    unit: "programs",
    parts: countsOf(verdicts),
    list: listed.map(shown),
  };
}

function countsOf(verdicts: readonly JudgedTest[]): BenchmarkRow["parts"] {
  const count = (kind: SuiteVerdict["kind"]) => verdicts.filter((verdict) => verdict.kind === kind).length;
  const own = { right: count("right"), refused: count("refused"), limited: count("limited"), wrong: count("wrong") };
  return { ...own, "with modules, input or env": count("foreign") };
}

/** Programs that jq must reject. */
function brokenRow(tests: ReturnType<typeof readSuites>): BenchmarkRow {
  const broken = tests.filter(({ input }) => input === undefined);
  const accepted = broken.filter(({ program }) => {
    const query = parseJq(program);
    return !isParseError(query) && checkNames(query).length === 0;
  });
  const parts = { refused: broken.length - accepted.length };
  return {
    name: "jq's invalid programs: accepted",
    value: accepted.length,
    limit: 0,
    unit: "programs",
    parts,
    list: accepted.map(({ program }) => program),
  };
}

const shown = ({ line, program, kind, why }: JudgedTest): string => `${kind}: ${program} (line ${line}): ${why}`;
