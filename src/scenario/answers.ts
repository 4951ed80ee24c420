import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Expression } from "../expressions/index.ts";
import { builtInOf } from "../ir/protocols.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Program } from "../program.ts";
import type { Answer, Scenario } from "./model.ts";
import type { Reply, Setup } from "./simulation.ts";

/** What a simulation is given for a scenario of a program: events get an id where none is given, answers are computed by `computer`, and of errors only `errorMembers` are seen besides name and message, or all members where absent. */
export function setupOf(
  { clock, events, functions, secrets }: Scenario,
  { workflows }: Program,
  computer: Computer,
  errorMembers?: readonly string[] | undefined,
): Setup {
  const builtIns = workflows.flatMap((workflow) =>
    workflow.functions.flatMap(({ name, protocol }) => {
      const builtIn = builtInOf(protocol);
      return builtIn ? [[name, builtIn] as const] : [];
    }),
  );
  return {
    clock,
    builtIns: new Map(builtIns),
    secrets,
    events: events.map(({ at, event }, i) => ({ at, event: { specversion: "1.0", id: `event-${i + 1}`, ...event } })),
    async reply(name, index, argument) {
      const answers = functions.get(name)?.list ?? [];
      const answer = answers[Math.min(index, answers.length - 1)];
      return answer
        ? { takes: answer.takes, answer: await resolve(answer, argument, computer, errorMembers) }
        : { takes: 0, answer: { kind: "returns", value: null } };
    },
  };
}

async function resolve(
  { does }: Answer,
  argument: Json,
  computer: Computer,
  errorMembers: readonly string[] | undefined,
): Promise<Reply["answer"]> {
  switch (does.kind) {
    case "returns":
      return does;
    case "throws":
      return thrown(does.error, errorMembers);
    case "computes": {
      const result = await computer.compute(does.expression, argument);
      return "value" in result
        ? { kind: "returns", value: result.value }
        : thrown(
            isObject(result.thrown) ? result.thrown : { name: "Error", message: text(result.thrown) },
            errorMembers,
          );
    }
  }
}

/** An error as the language has it: members besides those that it names nobody sees. */
function thrown(error: JsonObject, members: readonly string[] | undefined): Reply["answer"] {
  const { name, message, ...rest } = error;
  const seen = Object.entries(rest).filter(([key]) => members?.includes(key) ?? true) as readonly [string, Json][];
  const data = seen.length > 0 ? { data: Object.fromEntries(seen) } : {};
  return {
    kind: "throws",
    name: text(name ?? "Error"),
    message: text(own(error, "message") ?? message ?? ""),
    ...data,
  };
}

const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Evaluates what functions compute in a thread of its own, so that what never ends can be stopped. */
export interface Computer {
  /** The first output of an expression for an input, or what it failed with. Rejects when it takes more than ten seconds. */
  compute(expression: Expression, input: Json): Promise<Computed>;
  close(): Promise<void>;
}

/** What came of an evaluation. */
export type Computed = { readonly value: Json } | { readonly thrown: Json };

/** Starts the thread when it is first needed. */
export function createComputer(): Computer {
  let worker: Worker | undefined;
  return {
    async compute(expression, input) {
      worker ??= new Worker(
        new URL(import.meta.url.endsWith(".ts") ? "./computer-worker.ts" : "./computer-worker.cjs", import.meta.url),
      );
      worker.postMessage({ expression, input });
      const stop = AbortSignal.timeout(10_000);
      try {
        const [computed] = (await once(worker, "message", { signal: stop })) as [Computed];
        return computed;
      } catch (error) {
        await worker.terminate();
        worker = undefined;
        throw stop.aborted ? new Error("A `computes` of a scenario took more than ten seconds.") : error;
      }
    },
    close: async () => void (await worker?.terminate()),
  };
}
