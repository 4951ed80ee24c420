import { assignEvents } from "../ir/bound-events.ts";
import { knownName } from "../ir/definitions.ts";
import { builtInOf } from "../ir/protocols.ts";
import type { Program } from "../ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Language } from "../language.ts";
import type { Computer } from "./computer.ts";
import type { Answer, Scenario } from "./model.ts";
import type { Observed, Reply, Setup } from "./simulation.ts";

/**
 * Creates the setup of a simulation for a scenario. Events without id get one, `computer` computes results, and
 * `language` defines the members of errors and the default result.
 */
export function setupOf(
  { clock, events, functions, secrets }: Scenario,
  { workflows }: Program,
  computer: Computer,
  { errorFields, defaultResult = null }: Pick<Language, "errorFields" | "defaultResult"> = {},
): Setup {
  const builtIns = workflows.map(assignEvents).flatMap((workflow) =>
    workflow.functions.flatMap(({ name, protocol }) => {
      const builtIn = builtInOf(protocol);
      return builtIn ? [[name, builtIn] as const] : [];
    }),
  );
  const kinds = answeredKinds(functions, workflows);
  const logs = logsOf(workflows);
  const counts = new Map<string, number>();
  return {
    clock,
    builtIns: new Map(builtIns),
    secrets,
    script: (workflow, name, argument) => computer.run(workflow, name, argument),
    events: events.map(({ at, event }, i) => ({ at, event: { specversion: "1.0", id: `event-${i + 1}`, ...event } })),
    async reply(name, index, argument) {
      const kind = kinds.get(name);
      const rank = kind === undefined ? index : (counts.get(kind) ?? 0);
      if (kind !== undefined) counts.set(kind, rank + 1);
      const answers = functions.get(kind ?? name)?.list ?? [];
      const answer = answers[Math.min(rank, answers.length - 1)];
      return answer
        ? {
            takes: answer.takes,
            heartbeats: answer.heartbeats,
            answer: await resolve(answer, argument, computer, errorFields),
          }
        : { takes: 0, answer: { kind: "returns", value: logs.has(name) ? null : defaultResult } };
    },
  };
}

/** The functions that runs call and whose result is missing, in the order of the first calls. */
export function unansweredFunctions(
  { functions }: Scenario,
  { workflows }: Program,
  seen: readonly Observed[],
): readonly string[] {
  const kinds = answeredKinds(functions, workflows);
  const called = new Set(seen.flatMap(({ calls }) => calls.map((call) => call.function)));
  const logs = logsOf(workflows);
  return [...called].filter((name) => !functions.has(kinds.get(name) ?? name) && !logs.has(name));
}

/** The functions that write to the log. They need no result. */
const logsOf = (workflows: Program["workflows"]): ReadonlySet<string> =>
  new Set(
    workflows.flatMap(({ functions }) =>
      functions.flatMap(({ name, protocol }) => (protocol?.kind === "log" ? [name] : [])),
    ),
  );

/** The kinds of steps under which functions have results, by the names of functions without results of their own. */
function answeredKinds(results: Scenario["functions"], workflows: Program["workflows"]): ReadonlyMap<string, string> {
  return new Map(
    workflows.flatMap(({ functions }) =>
      functions.flatMap((each) => {
        const known = knownName(each, functions, (name) => results.has(name));
        return known === undefined || known === each.name ? [] : [[each.name, known] as const];
      }),
    ),
  );
}

async function resolve(
  { does }: Answer,
  argument: Json,
  computer: Computer,
  errorFields: readonly string[] | undefined,
): Promise<Reply["answer"]> {
  switch (does.kind) {
    case "returns":
    case "never":
      return does;
    case "throws":
      return thrown(does.error, errorFields);
    case "computes": {
      const result = await computer.compute(does.expression, argument);
      return "value" in result
        ? { kind: "returns", value: result.value }
        : thrown(
            isObject(result.thrown) ? result.thrown : { name: "Error", message: text(result.thrown) },
            errorFields,
          );
    }
  }
}

/** An error with the members that the language defines; others are dropped. */
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
