import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { fromJson } from "../../../../src/expressions/library/json-reader.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { readJq } from "../../../../src/expressions/syntax/jq/lower.ts";
import { isLimited, type Outcome } from "../../../expressions/js/running.ts";
import { type Exactness, printOutcome } from "./compare.ts";
import type { JqRunner } from "./jq.ts";
import { withLetterKeys } from "./renamed-keys.ts";
import type { ProgramSample } from "./samples.ts";
import { evaluate, runnerOf, type Subject, type SubjectRun } from "./subjects.ts";

/** A case for which a subject differs from the expected outcome. */
export interface Disagreement {
  readonly subject: Subject;
  readonly against: "jq" | "evaluator";
  readonly program: string;
  readonly input: string;
  readonly expected: string;
  readonly actual: string;
  readonly simplified: boolean;
}

/** The results of a program on one subject. */
export interface ProgramJudgment {
  readonly subject: Subject;
  readonly refused?: string;
  /** Cases with equal values; `failures` counts equal failures. */
  readonly values: number;
  readonly failures: number;
  /** Cases that exceed one of our limits. */
  readonly limited: number;
  /**
   * Cases without a definite outcome in jq: jq crashes, builds differ, or the result depends on a key order that
   * JavaScript cannot keep.
   */
  readonly unanswered: number;
  readonly disagreements: readonly Disagreement[];
}

const nothing = { values: 0, failures: 0, limited: 0, unanswered: 0, disagreements: [] };

/** Compares the results of a sample with jq, and those of JSONata with the evaluator too. */
export async function judge(
  jq: JqRunner,
  sample: ProgramSample,
  judged: readonly Subject[],
  simplified: boolean,
): Promise<readonly ProgramJudgment[]> {
  const read = readJq(sample.program);
  if (!("expression" in read))
    return judged.map((subject) => ({ ...nothing, subject, refused: `not parsed: ${read[0]!.message}` }));
  const inputs = await terminatingInputs(sample, read.expression);
  const cases = await runJqOn(jq, sample.program, inputs);
  const expression = simplified ? simplify(read.expression) : read.expression;
  const results: ProgramJudgment[] = [];
  for (const subject of judged) {
    const runner = runnerOf(subject, expression);
    if ("refused" in runner) results.push({ ...nothing, subject, refused: runner.refused });
    else {
      const judgement = await judgeOne(jq, cases, runner, {
        subject,
        program: sample.program,
        simplified,
        core: read.expression,
      });
      results.push({ ...judgement, limited: judgement.limited + sample.inputs.length - inputs.length });
    }
  }
  return results;
}

/** The inputs for which the program terminates as JavaScript, the only subject with a time limit. */
async function terminatingInputs({ inputs }: ProgramSample, expression: Expression): Promise<readonly string[]> {
  const run = runnerOf("javascript", expression);
  if ("refused" in run) return inputs;
  const ending: string[] = [];
  for (const input of inputs) if (!isLimited(await run(fromJson(input)))) ending.push(input);
  return ending;
}

/** An input and jq's outcome, undefined if jq crashes or its builds differ. */
interface JqCase {
  readonly input: string;
  readonly answer: Outcome | undefined;
}

async function runJqOn(jq: JqRunner, program: string, inputs: readonly string[]): Promise<readonly JqCase[]> {
  if (inputs.length === 0 || ordersNan(program)) return inputs.map((input) => ({ input, answer: undefined }));
  const answers = await jq.ask(program, inputs);
  return inputs.map((input, i) => ({
    input,
    answer: "uncompiled" in answers ? { refused: answers.uncompiled } : answers[i],
  }));
}

/** The order among NaNs depends on the sort function of the C library. */
const ordersNan = (program: string): boolean =>
  /\bnan\b/.test(program) && /sort|group_by|unique|\bmin|\bmax/.test(program);

interface JudgedProgram {
  readonly subject: Subject;
  readonly program: string;
  readonly simplified: boolean;
  readonly core: Expression;
}

/** An expected outcome and how to compare with it. */
interface ExpectedOutcome {
  readonly oracle: "jq" | "evaluator";
  readonly exactness: Exactness;
  readonly outcome: Outcome | undefined;
}

async function judgeOne(
  jq: JqRunner,
  cases: readonly JqCase[],
  run: SubjectRun,
  judged: JudgedProgram,
): Promise<ProgramJudgment> {
  const { subject, program, simplified } = judged;
  const counts = { ...nothing, subject, disagreements: [] as Disagreement[] };
  for (const { input, answer } of cases) {
    const actual = await run(fromJson(input));
    if (isLimited(actual)) {
      counts.limited += 1;
      continue;
    }
    const different = await differences(judged, input, answer, actual);
    const fromJq = different.find(({ oracle }) => oracle === "jq");
    const isOfOrder =
      fromJq &&
      matchesEvaluator(judged, input, fromJq.other) &&
      (isOrderInMessage(fromJq) || (await isOrderOfNumbers(jq, judged, input, actual)));
    const significant = isOfOrder ? different.filter(({ oracle }) => oracle !== "jq") : different;
    for (const { oracle, expected, other } of significant)
      counts.disagreements.push({ subject, against: oracle, program, input, expected, actual: other, simplified });
    if (significant.length === 0)
      counts[!answer || isOfOrder ? "unanswered" : "outputs" in actual ? "values" : "failures"] += 1;
  }
  return counts;
}

async function differences(judged: JudgedProgram, input: string, answer: Outcome | undefined, actual: Outcome) {
  const found: { readonly oracle: ExpectedOutcome["oracle"]; readonly expected: string; readonly other: string }[] = [];
  for (const { oracle, exactness, outcome } of await expectedOutcomes(judged, input, answer)) {
    if (!outcome || isLimited(outcome) || (judged.subject === "jsonata" && isTooDeep(outcome))) continue;
    const [expected, other] = [printOutcome(outcome, exactness), printOutcome(actual, exactness)];
    const isSame = expected === other || (judged.subject === "jsonata" && unsigned(expected) === unsigned(other));
    if (!isSame) found.push({ oracle, expected, other });
  }
  return found;
}

/** Without the sign of zeros: JSONata has no documented way to see it (targets/asl/README.md). */
const unsigned = (text: string): string => text.replaceAll(/-0(?![\d.])/g, "0");

/** Whether a value exceeds jq's maximum depth of 10,000. State machines have other limits. */
const isTooDeep = (outcome: Outcome): boolean => /\btoo deep\b/.test(printOutcome(outcome));

/** Whether compiled JavaScript matches the evaluator, whose objects order their keys alike. */
export function matchesEvaluator(
  { subject, core }: Pick<JudgedProgram, "subject" | "core">,
  input: string,
  actual: string,
): boolean {
  return subject === "jsonata" || printOutcome(evaluate(core, fromJson(input))) === actual;
}

/** Whether two messages quote the same object with its integer-like keys in another order. */
const isOrderInMessage = ({ expected, other }: { readonly expected: string; readonly other: string }): boolean =>
  [expected, other].every((text) => text.startsWith("fails with ") && /\\"\d+\\":/.test(text)) &&
  [...expected].sort().join("") === [...other].sort().join("");

/** Whether a case differs from jq only in the order of integer-like keys: with other keys, both agree. */
async function isOrderOfNumbers(jq: JqRunner, judged: JudgedProgram, input: string, actual: Outcome): Promise<boolean> {
  const { program, inputs } = withLetterKeys({ program: judged.program, inputs: [input] });
  if (program === judged.program && inputs[0] === input) return false;
  const read = readJq(program);
  if (!("expression" in read)) return false;
  const run = runnerOf(judged.subject, judged.simplified ? simplify(read.expression) : read.expression);
  const [other] = await runJqOn(jq, program, inputs);
  if ("refused" in run || !other?.answer) return false;
  const named = await run(fromJson(other.input));
  if (lengthOf(named) !== lengthOf(actual)) return false;
  const core = { ...judged, program, core: read.expression };
  return (await differences(core, other.input, other.answer, named)).length === 0;
}

const lengthOf = (outcome: Outcome): number | undefined => ("outputs" in outcome ? outcome.outputs.length : undefined);

async function expectedOutcomes(
  { subject, core }: JudgedProgram,
  input: string,
  answer: Outcome | undefined,
): Promise<readonly ExpectedOutcome[]> {
  if (subject !== "jsonata") return [{ oracle: "jq", exactness: "value", outcome: answer }];
  const evaluate = runnerOf("evaluator", core);
  const outcome = "refused" in evaluate ? undefined : await evaluate(fromJson(input));
  return [
    { oracle: "evaluator", exactness: "message", outcome },
    { oracle: "jq", exactness: "failing", outcome: answer },
  ];
}
