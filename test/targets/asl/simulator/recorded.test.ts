import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { equalValues } from "../../../../src/expressions/library/order.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { type MachineDefinition, StateError } from "../../../../targets/asl/simulator/environment.ts";
import { type ExecutionResult, executed } from "./raw.ts";

// The simulator reproduces executions recorded on AWS.

const path = join(import.meta.dirname, "../../../../../shared/cases/asl/recorded-on-aws.jsonl");

interface RecordedExecution {
  readonly id: string;
  readonly definition: MachineDefinition & JsonObject;
  readonly input: Json;
  readonly mocks: {
    readonly [state: string]: readonly {
      readonly result?: Json;
      readonly error?: string;
      readonly cause?: Json;
      readonly timeout?: boolean;
    }[];
  };
  readonly expected: {
    readonly status: string;
    readonly output?: Json;
    readonly error?: string | null;
    readonly cause?: string | null;
  };
}

/** JSONPath states are not part of the dialect that Waybill generates. */
const isJsonata = (definition: JsonObject): boolean => {
  const states = Object.values(definition["States"] as { [name: string]: JsonObject });
  return states.every((state) => {
    const language = state["QueryLanguage"] ?? definition["QueryLanguage"] ?? "JSONPath";
    const inner = [
      ...((state["Branches"] ?? []) as JsonObject[]),
      ...["ItemProcessor", "Iterator"].flatMap((key) => (state[key] ? [state[key] as JsonObject] : [])),
    ];
    return (
      (language === "JSONata" || state["Type"] === "Fail") &&
      inner.every((machine) => isJsonata({ QueryLanguage: definition["QueryLanguage"] ?? "JSONata", ...machine }))
    );
  });
};

/** Declares a machine's language once instead of in each state. */
const withoutLanguage = (value: Json): Json =>
  Array.isArray(value)
    ? value.map(withoutLanguage)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, item]) =>
            key === "QueryLanguage" ? [] : [[key, withoutLanguage(item)]],
          ),
        )
      : value;

const cases: readonly RecordedExecution[] = existsSync(path)
  ? readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RecordedExecution)
      .filter(({ definition }) => isJsonata(definition))
  : [];

describe.skipIf(cases.length === 0)(
  `executions recorded on AWS (${cases.length === 0 ? "skipped: the recordings are not here" : cases.length})`,
  () => {
    test.each(cases.map((recorded) => [recorded.id, recorded] as const))("%s", async (_, recorded) => {
      const { status, output, error, cause } = recorded.expected;
      const seen = await observe(recorded);
      if (status === "SUCCEEDED")
        expect(seen, JSON.stringify(seen)).toSatisfy(
          (s: { output?: Json }) => s.output !== undefined && equalValues(redacted(s.output, output!), output!),
        );
      else {
        expect(seen.error ?? null).toBe(error ?? null);
        if (cause) expect(comparable(seen.cause ?? "")).toBe(comparable(cause));
      }
    });
  },
);

/** The recording replaces one timestamp by `date`. */
const redacted = (seen: Json, recorded: Json): Json =>
  JSON.stringify(recorded).includes('"date"')
    ? (JSON.parse(JSON.stringify(seen).replace(/"\d{4}-[^"]*"/, '"date"')) as Json)
    : seen;

/** The simulator does not promise event numbers and evaluator details. */
const comparable = (cause: string): string =>
  cause
    .replace(/ \(entered at the event id #\d+\)/, "")
    .replace(/The JSONata expression '.*' specified for the field 'Items' returned an un\w+ result type.*/, "Items")
    .replace(/Map state input must be an array but was: .*/, "Items");

function observe({ definition, input, mocks }: RecordedExecution): Promise<ExecutionResult> {
  const counts = new Map<string, number>();
  return executed(withoutLanguage(definition) as unknown as MachineDefinition, input, (state) => {
    const answers = mocks[state] ?? [];
    const count = counts.get(state) ?? 0;
    counts.set(state, count + 1);
    const answer = answers[Math.min(count, answers.length - 1)];
    if (answer?.timeout) throw new StateError("States.Timeout", undefined);
    if (answer?.error !== undefined)
      throw new StateError(
        answer.error,
        typeof answer.cause === "string" ? answer.cause : JSON.stringify(answer.cause),
      );
    return answer?.result ?? null;
  });
}
