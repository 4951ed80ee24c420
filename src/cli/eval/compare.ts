import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { EvaluationError, type Expression, equalValues, errorOf, evaluate, toJson } from "../../expressions/index.ts";
import type { Json } from "../../json.ts";
import { type ExitStatus, exit, type Terminal, usage } from "../terminal.ts";
import type { JqAnswer, JqQuestion } from "./jq-worker.ts";

/** A program of jq, read and as it is written, with what it runs on. */
export interface Comparison {
  readonly program: string;
  readonly expression: Expression;
  readonly input: Json;
  /** The texts of its variables. */
  readonly texts: readonly (readonly [name: string, value: string])[];
  /** The time that both take for now, in seconds since 1970. */
  readonly now: number;
}

/** What a program gave: its outputs as they are printed, and the message of the error that ended it. */
interface Outputs {
  readonly values: readonly { readonly text: string; readonly value: Json }[];
  readonly failure: string | undefined;
}

/**
 * `waybill eval --compare`: runs a program here and in jq 1.8 itself, and prints the outputs side by side:
 *
 *   .a[], (.b | tojson)   →   same      1
 *                             Waybill   "1.0"
 *                             jq 1.8.2  "1"
 *
 * Values are compared, not how their digits are written. Fails where they differ. Of errors it is compared that there is one; both messages are shown.
 */
export async function compareWithJq(comparison: Comparison, terminal: Terminal): Promise<ExitStatus> {
  const answer = await askJq(comparison);
  const ours = outputsHere(comparison);
  const theirs = outputsOf(answer);
  const names = { ours: "Waybill", theirs: answer.version.replace("-", " ") };
  const width = names.theirs.length + 2;
  const line = (name: string, text: string) => terminal.out(`${name.padEnd(width)}${text}\n`);
  let alike = 0;
  const count = Math.max(ours.values.length, theirs.values.length);
  for (let i = 0; i < count; i++) {
    const [our, their] = [ours.values[i], theirs.values[i]];
    if (our && their && equalValues(our.value, their.value)) {
      alike += 1;
      line("same", our.text);
      continue;
    }
    line(names.ours, our?.text ?? "(no further output)");
    line(names.theirs, their?.text ?? "(no further output)");
  }
  for (const [name, { failure }] of [[names.ours, ours] as const, [names.theirs, theirs] as const])
    if (failure !== undefined) line(name, `fails: ${failure}`);
  const isAlike = alike === count && (ours.failure === undefined) === (theirs.failure === undefined);
  return isAlike ? exit.fine : exit.problems;
}

function outputsHere({ expression, input, texts, now }: Comparison): Outputs {
  const values: { text: string; value: Json }[] = [];
  const variables = new Map<string, Json>([["now'", now], ...texts]);
  try {
    for (const value of evaluate(expression, { input, variables })) values.push({ text: toJson(value), value });
    return { values, failure: undefined };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { name, message } = errorOf(error.value);
    return { values, failure: name === "ExpressionError" ? message : `${name}: ${message}` };
  }
}

function outputsOf({ stdout, stderr, exitCode }: Printed): Outputs {
  const lines = stdout.split("\n").filter((text) => text !== "");
  const values = lines.map((text) => ({ text, value: JSON.parse(text, asDouble) as Json }));
  return { values, failure: exitCode === 0 ? undefined : stderr.replace(/^jq: error(?: \(at [^)]*\))?: /, "").trim() };
}

/** jq keeps digits that no double has until it computes with them. */
const asDouble = (_: string, value: Json): Json =>
  typeof value === "number" && !Number.isFinite(value) ? Math.sign(value) * Number.MAX_VALUE : value;

type Printed = Exclude<JqAnswer, { readonly missing: string }>;

/** Runs jq in a thread of its own, which is stopped after ten seconds. */
async function askJq({ program, input, texts, now }: Comparison): Promise<Printed> {
  const file = import.meta.url.endsWith(".ts") ? "./jq-worker.ts" : "./jq-worker.cjs";
  const worker = new Worker(new URL(file, import.meta.url));
  const flags = ["-c", ...texts.flatMap(([name, value]) => ["--arg", name, value])];
  const atOneTime = `def now: ${now}; ${program}`;
  worker.postMessage({ program: atOneTime, input: JSON.stringify(input), flags } satisfies JqQuestion);
  const stop = AbortSignal.timeout(10_000);
  try {
    const [answer] = (await once(worker, "message", { signal: stop })) as [JqAnswer];
    if ("missing" in answer) throw usage("--compare needs jq itself: `npm install jq-wasm@3.0.0-jq-1.8.2` brings it.");
    return answer;
  } catch (error) {
    throw stop.aborted ? usage("jq has no answer within ten seconds.") : error;
  } finally {
    await worker.terminate();
  }
}
