import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "../../../src/json.ts";

/** An execution that was recorded on AWS. */
export interface Recording {
  readonly id: string;
  readonly definition: JsonObject;
  readonly input: Json;
  readonly mocks: { readonly [state: string]: readonly Mock[] };
  readonly expected: {
    readonly status: "SUCCEEDED" | "FAILED";
    readonly output?: Json;
    readonly error?: string | null;
    readonly cause?: string;
  };
  readonly masked?: readonly string[];
  readonly objects?: Json;
}

type Mock =
  | { readonly result: Json }
  | { readonly error: string | null; readonly cause?: string }
  | { readonly timeout: true };

/** The lines of a file with one JSON value each. */
export const linesOf = <T>(path: string): readonly T[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);

/**
 * Whether a recording reads no objects of S3, expects no value that the recorder replaced, and has the answers of all
 * tasks: those in executions of a distributed Map are not recorded.
 */
export function isUsable({ definition, masked, expected, mocks }: Recording): boolean {
  const text = JSON.stringify(definition);
  const outcome = JSON.stringify(expected);
  return (
    masked === undefined &&
    !text.includes('"ItemReader"') &&
    !replacements.some((each) => outcome.includes(each)) &&
    !(text.includes('"DISTRIBUTED"') && text.includes('"Task"') && Object.keys(mocks).length === 0)
  );
}

/** Whether some state of a recording is in JSONata. */
export const usesJsonata = ({ definition }: Recording): boolean => JSON.stringify(definition).includes('"JSONata"');

/** What stands for values that a run makes itself. */
const replacements = ["RandomNumberGenerated", "generated-uuid", "executionSucceededEventDetails.output"];

/** The scenario of a recording, as JSON. */
export function scenarioOf({ input, mocks, expected }: Recording): string {
  const functions = Object.fromEntries(Object.entries(mocks).map(([state, list]) => [state, list.map(answerOf)]));
  const failed = { status: "failed", error: { name: expected.error ?? null } };
  const expect = expected.status === "SUCCEEDED" ? { status: "succeeded", output: expected.output ?? null } : failed;
  return JSON.stringify({ workflow: "machine.asl.json", scenarios: [{ name: "recorded", input, functions, expect }] });
}

function answerOf(mock: Mock): Json {
  if ("result" in mock) return { returns: mock.result };
  if ("timeout" in mock) return { returns: null, takes: "P1D" };
  return { throws: { error: mock.error ?? "", cause: mock.cause ?? "" } };
}
