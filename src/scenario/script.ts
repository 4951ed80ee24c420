import { builtInOf } from "../ir/protocols.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Program } from "../program.ts";
import type { Computer } from "./computer.ts";
import type { Answer, Scenario } from "./model.ts";
import type { Reply, Script } from "./stage.ts";

/** What a stage plays for a scenario of a program; events get an id where none is given, and answers are computed by `computer`. */
export function scriptOf(
  { clock, events, functions, secrets }: Scenario,
  { workflows }: Program,
  computer: Computer,
): Script {
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
        ? { takes: answer.takes, answer: await resolve(answer, argument, computer) }
        : { takes: 0, answer: { kind: "returns", value: null } };
    },
  };
}

async function resolve({ does }: Answer, argument: Json, computer: Computer): Promise<Reply["answer"]> {
  switch (does.kind) {
    case "returns":
      return does;
    case "throws":
      return thrown(does.error);
    case "computes": {
      const result = await computer.compute(does.expression, argument);
      return "value" in result
        ? { kind: "returns", value: result.value }
        : thrown(isObject(result.thrown) ? result.thrown : { name: "Error", message: text(result.thrown) });
    }
  }
}

function thrown(error: JsonObject): Reply["answer"] {
  const { name, message, ...rest } = error;
  const data = Object.keys(rest).length > 0 ? { data: rest as JsonObject } : {};
  return {
    kind: "throws",
    name: text(name ?? "Error"),
    message: text(own(error, "message") ?? message ?? ""),
    ...data,
  };
}

const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
