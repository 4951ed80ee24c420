import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { fromJson } from "../../../../src/expressions/library/json-reader.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { readJq } from "../../../../src/expressions/syntax/jq/lower.ts";
import { isLimited, type Outcome } from "../../../expressions/javascript/running.ts";
import { type Exactness, shownOutcome } from "./compare.ts";
import type { JqAsker } from "./jq.ts";
import type { Sample } from "./samples.ts";
import { type Run, runnerOf, type Subject } from "./subjects.ts";
import { worded } from "./worded.ts";

/** A case for which a subject differs from the expected outcome. */
export interface Disagreement {
  readonly subject: Subject;
  readonly against: "jq" | "evaluator";
  readonly program: string;
  readonly input: string;
  readonly want: string;
  readonly got: string;
  readonly simplified: boolean;
}

/** The results of a program on one subject. */
export interface Judgement {
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
  jq: JqAsker,
  sample: Sample,
  judged: readonly Subject[],
  simplified: boolean,
): Promise<readonly Judgement[]> {
  const read = readJq(sample.program);
  if (!("expression" in read))
    return judged.map((subject) => ({ ...nothing, subject, refused: `not read: ${read[0]!.message}` }));
  const inputs = await endingInputs(sample, read.expression);
  const cases = await answeredBy(jq, sample.program, inputs);
  const expression = simplified ? simplify(read.expression) : read.expression;
  const results: Judgement[] = [];
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
async function endingInputs({ inputs }: Sample, expression: Expression): Promise<readonly string[]> {
  const run = runnerOf("javascript", expression);
  if ("refused" in run) return inputs;
  const ending: string[] = [];
  for (const input of inputs) if (!isLimited(await run(fromJson(input)))) ending.push(input);
  return ending;
}

/** An input and jq's outcome, undefined if jq crashes or its builds differ. */
interface Case {
  readonly input: string;
  readonly answer: Outcome | undefined;
}

async function answeredBy(jq: JqAsker, program: string, inputs: readonly string[]): Promise<readonly Case[]> {
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

interface Judged {
  readonly subject: Subject;
  readonly program: string;
  readonly simplified: boolean;
  readonly core: Expression;
}

/** An expected outcome and how to compare with it. */
interface Wanted {
  readonly by: "jq" | "evaluator";
  readonly exactness: Exactness;
  readonly outcome: Outcome | undefined;
}

async function judgeOne(jq: JqAsker, cases: readonly Case[], run: Run, judged: Judged): Promise<Judgement> {
  const { subject, program, simplified } = judged;
  const counts = { ...nothing, subject, disagreements: [] as Disagreement[] };
  for (const { input, answer } of cases) {
    const got = await run(fromJson(input));
    if (isLimited(got)) {
      counts.limited += 1;
      continue;
    }
    const different = await differences(judged, input, answer, got);
    const fromJq = different.find(({ by }) => by === "jq");
    const isOfOrder = fromJq && (isOrderInMessage(fromJq) || (await isOrderOfNumbers(jq, judged, input, got)));
    const told = isOfOrder ? different.filter(({ by }) => by !== "jq") : different;
    for (const { by, want, other } of told)
      counts.disagreements.push({ subject, against: by, program, input, want, got: other, simplified });
    if (told.length === 0) counts[!answer || isOfOrder ? "unanswered" : "outputs" in got ? "values" : "failures"] += 1;
  }
  return counts;
}

async function differences(judged: Judged, input: string, answer: Outcome | undefined, got: Outcome) {
  const found: { readonly by: Wanted["by"]; readonly want: string; readonly other: string }[] = [];
  for (const { by, exactness, outcome } of await wantedOf(judged, input, answer)) {
    if (!outcome || isLimited(outcome) || (judged.subject === "jsonata" && isTooDeep(outcome))) continue;
    const [want, other] = [shownOutcome(outcome, exactness), shownOutcome(got, exactness)];
    if (want !== other) found.push({ by, want, other });
  }
  return found;
}

/** Whether a value exceeds jq's maximum depth of 10,000. State machines have other limits. */
const isTooDeep = (outcome: Outcome): boolean => /\btoo deep\b/.test(shownOutcome(outcome));

/** Whether two messages quote the same object with its integer-like keys in another order. */
const isOrderInMessage = ({ want, other }: { readonly want: string; readonly other: string }): boolean =>
  [want, other].every((text) => text.startsWith("fails with ") && /\\"\d+\\":/.test(text)) &&
  [...want].sort().join("") === [...other].sort().join("");

/** Whether a case differs from jq only in the order of integer-like keys: with other keys, both agree. */
async function isOrderOfNumbers(jq: JqAsker, judged: Judged, input: string, got: Outcome): Promise<boolean> {
  const { program, inputs } = worded({ program: judged.program, inputs: [input] });
  if (program === judged.program && inputs[0] === input) return false;
  const read = readJq(program);
  if (!("expression" in read)) return false;
  const run = runnerOf(judged.subject, judged.simplified ? simplify(read.expression) : read.expression);
  const [other] = await answeredBy(jq, program, inputs);
  if ("refused" in run || !other?.answer) return false;
  const named = await run(fromJson(other.input));
  if (lengthOf(named) !== lengthOf(got)) return false;
  const core = { ...judged, program, core: read.expression };
  return (await differences(core, other.input, other.answer, named)).length === 0;
}

const lengthOf = (outcome: Outcome): number | undefined => ("outputs" in outcome ? outcome.outputs.length : undefined);

async function wantedOf(
  { subject, core }: Judged,
  input: string,
  answer: Outcome | undefined,
): Promise<readonly Wanted[]> {
  if (subject !== "jsonata") return [{ by: "jq", exactness: "value", outcome: answer }];
  const evaluate = runnerOf("evaluator", core);
  const outcome = "refused" in evaluate ? undefined : await evaluate(fromJson(input));
  return [
    { by: "evaluator", exactness: "message", outcome },
    { by: "jq", exactness: "failing", outcome: answer },
  ];
}
