import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { run } from "../../expressions/javascript/running.ts";
import { loadOracle } from "../../expressions/jq/oracle.ts";
import { haveSuites, readSuites } from "../../expressions/jq/suites.ts";
import {
  judgeSuiteCase,
  type RunningCase,
  type SuiteRunner,
  type SuiteVerdict,
} from "../../expressions/jq/suites-judged.ts";
import { type Row, skipped } from "../row.ts";
import { evaluated } from "./differential/subjects.ts";

/** Runs jq 1.8.2's own tests as JavaScript and in the evaluator. */
export async function jqSuiteRows(): Promise<readonly Row[]> {
  if (!haveSuites) return [skipped("jq's own tests", "programs")];
  const oracle = await loadOracle();
  const tests = readSuites();
  const running = tests.filter((test): test is RunningCase => test.input !== undefined);
  const judged = (runner: SuiteRunner) => running.map((test) => ({ ...test, ...judgeSuiteCase(test, runner, oracle) }));
  const javascript = judged((expression, input) => run(expression, input));
  return [...javascriptRows(javascript), evaluatorRow(judged(evaluated)), brokenRow(tests)];
}

type Judged = SuiteVerdict & RunningCase;

function javascriptRows(verdicts: readonly Judged[]): readonly Row[] {
  const wrong = verdicts.filter(({ kind }) => kind === "wrong");
  const notRight = verdicts.filter(({ kind }) => kind === "refused" || kind === "limited");
  const name = "jq's own tests as JavaScript";
  const parts = countsOf(verdicts);
  return [
    {
      name: `${name}: not right`,
      value: notRight.length + wrong.length,
      limit: 10,
      unit: "programs",
      parts,
      list: notRight.map(shown),
    },
    { name: `${name}: wrong answers`, value: wrong.length, limit: 0, unit: "programs", parts, list: wrong.map(shown) },
  ];
}

/** Lists the depth limits too: the evaluator's are lower than those of compiled programs. */
function evaluatorRow(verdicts: readonly Judged[]): Row {
  const wrong = verdicts.filter(({ kind }) => kind === "wrong");
  const listed = [...wrong, ...verdicts.filter(({ kind }) => kind === "limited")];
  return {
    name: "jq's own tests in the evaluator: wrong answers",
    value: wrong.length,
    limit: 0,
    unit: "programs",
    parts: countsOf(verdicts),
    list: listed.map(shown),
  };
}

function countsOf(verdicts: readonly Judged[]): Row["parts"] {
  const count = (kind: SuiteVerdict["kind"]) => verdicts.filter((verdict) => verdict.kind === kind).length;
  const own = { right: count("right"), refused: count("refused"), limited: count("limited"), wrong: count("wrong") };
  return { ...own, "with modules, input or env": count("foreign") };
}

/** Programs that jq must reject. */
function brokenRow(tests: ReturnType<typeof readSuites>): Row {
  const broken = tests.filter(({ input }) => input === undefined);
  const taken = broken.filter(({ program }) => {
    const query = parseJq(program);
    return !isParseError(query) && checkNames(query).length === 0;
  });
  const parts = { refused: broken.length - taken.length };
  return {
    name: "jq's own broken programs: taken",
    value: taken.length,
    limit: 0,
    unit: "programs",
    parts,
    list: taken.map(({ program }) => program),
  };
}

const shown = ({ line, program, kind, why }: Judged): string => `${kind}: ${program} (line ${line}): ${why}`;
