import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { EvaluationError, type Expression, equalValues, errorOf, evaluate, toJson } from "../../expressions/index.ts";
import type { Json } from "../../json.ts";
import { type ExitStatus, exit, type Terminal, usageError } from "../terminal.ts";
import type { JqRequest, JqResponse } from "./jq-worker.ts";

/** A jq program with its input. */
export interface ProgramComparison {
  readonly program: string;
  readonly expression: Expression;
  readonly input: Json;
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** In seconds since 1970. */
  readonly now: number;
}

interface ProgramOutputs {
  readonly values: readonly { readonly text: string; readonly value: Json }[];
  readonly failure: string | undefined;
}

/**
 * Runs `waybill eval --compare`: runs a program here and in jq 1.8, and prints the outputs side by side.
 *
 *   .a[], (.b | tojson)   →   same      1
 *                             Waybill   "1.0"
 *                             jq 1.8.2  "1"
 *
 * Values are compared, not their notation. It fails if they differ, or if only one side fails.
 */
export async function compareWithJq(comparison: ProgramComparison, terminal: Terminal): Promise<ExitStatus> {
  const response = await runJq(comparison);
  const ours = evaluateHere(comparison);
  const theirs = parseOutputs(response);
  const names = { ours: "Waybill", theirs: response.version.replace("-", " ") };
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
    if (failure !== undefined) line(name, `error: ${failure}`);
  const isAlike = alike === count && (ours.failure === undefined) === (theirs.failure === undefined);
  return isAlike ? exit.success : exit.problems;
}

function evaluateHere({ expression, input, variables, now }: ProgramComparison): ProgramOutputs {
  const values: { text: string; value: Json }[] = [];
  const bindings = new Map<string, Json>([["now'", now], ...variables]);
  try {
    for (const value of evaluate(expression, { input, variables: bindings }))
      values.push({ text: toJson(value), value });
    return { values, failure: undefined };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { name, message } = errorOf(error.value);
    return { values, failure: name === "ExpressionError" ? message : `${name}: ${message}` };
  }
}

function parseOutputs({ stdout, stderr, exitCode }: JqOutput): ProgramOutputs {
  const lines = stdout.split("\n").filter((text) => text !== "");
  const values = lines.map((text) => ({ text, value: JSON.parse(text, clampNumber) as Json }));
  return { values, failure: exitCode === 0 ? undefined : stderr.replace(/^jq: error(?: \(at [^)]*\))?: /, "").trim() };
}

/** jq preserves digits beyond double precision until it computes with them. */
const clampNumber = (_: string, value: Json): Json =>
  typeof value === "number" && !Number.isFinite(value) ? Math.sign(value) * Number.MAX_VALUE : value;

type JqOutput = Exclude<JqResponse, { readonly missing: string }>;

async function runJq({ program, input, variables, now }: ProgramComparison): Promise<JqOutput> {
  const file = import.meta.url.endsWith(".ts") ? "./jq-worker.ts" : "./jq-worker.cjs";
  const worker = new Worker(new URL(file, import.meta.url));
  const flags = ["-c", ...variables.flatMap(([name, value]) => ["--arg", name, value])];
  const fixedTime = `def now: ${now}; ${program}`;
  worker.postMessage({ program: fixedTime, input: JSON.stringify(input), flags } satisfies JqRequest);
  const stop = AbortSignal.timeout(10_000);
  try {
    const [response] = (await once(worker, "message", { signal: stop })) as [JqResponse];
    if ("missing" in response) throw usageError("--compare requires jq. Run `npm install jq-wasm@3.0.0-jq-1.8.2`.");
    return response;
  } catch (error) {
    throw stop.aborted ? usageError("jq did not finish within ten seconds.") : error;
  } finally {
    await worker.terminate();
  }
}
