import { expect, test } from "vitest";
import { analyzeProgram } from "../../src/analysis/index.ts";
import { literal } from "../../src/expressions/core/build.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import {
  allOf,
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  emit,
  end,
  event,
  forEach,
  fork,
  handler,
  invoke,
  receive,
  scope,
  span,
  workflow,
  yes,
} from "../reference/build.ts";
import { findings } from "./findings.ts";

const main = (...steps: Parameters<typeof scope>[1][]): Workflow => workflow(scope(["data", "got"], ...steps));
const small = (id: string): Workflow => workflow(scope(["data"], end("End", data)), { id });

test("defined names have no findings", () => {
  const body = scope(
    ["data", "got"],
    call("Ask", "ask", data, "Wait"),
    receive("Wait", [allOf("paid")], "got", "Tell"),
    emit("Tell", "sent", data, "Both"),
    fork("Both", [branch("left", scope([], end("Left", data))), branch("right", scope([], end("Right", data)))], "Sub"),
    invoke("Sub", "other", data, "End"),
    end("End", data),
  );
  expect(findings(workflow(body, { events: [event("paid"), event("sent")] }), small("other"))).toEqual([]);
});

test("dangling transitions suggest the nearest name of their scope", () => {
  const inside = scope(
    [],
    call("Pack", "pack", data, "Pakc", { handlers: [handler(yes, "nowhere")] }),
    end("Packed", data),
  );
  const steps = main(
    choose("Route", [[data, "Sedn"]], "Each"),
    forEach("Each", data, inside, "Send"),
    end("Send", data),
  );
  expect(findings(steps)).toEqual([
    "error WB2001 at Route.cases[0].next: Unknown state `Sedn`.",
    "  Did you mean `Send`?",
    "error WB2001 at Pack.next: Unknown state `Pakc`.",
    "  Did you mean `Pack`?",
    "error WB2001 at Pack.handlers[0].next: Unknown state `nowhere`.",
    "  Defined states: `Pack`, `Packed`.",
  ]);
});

test("an undefined start", () => {
  const body = { ...scope(["data"], end("Begin", data)), entry: { name: "Begni", span } };
  expect(findings(workflow(body))).toEqual([
    "error WB2001 at main.body.entry: Unknown state `Begni`.",
    "  Did you mean `Begin`?",
  ]);
});

test("an unknown name makes nothing unreachable and no loop endless", () => {
  const steps = main(
    assign("A", { data }, "B"),
    assign("B", { data }, "A"),
    choose("C", [[data, "Gone"]], "D"),
    end("D", data),
  );
  expect(findings(steps)).toEqual([
    "error WB2001 at C.cases[0].next: Unknown state `Gone`.",
    "  Defined states: `A`, `B`, `C`, `D`.",
  ]);
});

test("undefined functions and events", () => {
  const body = scope(
    ["data", "got"],
    call("Ask", "aks", data, "Wait"),
    receive("Wait", [{ ...allOf("piad"), none: [{ event: { name: "cancelled", span } }] }], "got", "Tell"),
    emit("Tell", "nothingRecorded", data, "End"),
    end("End", data),
  );
  expect(
    findings(
      workflow(body, { functions: [{ name: "ask", span }], events: [event("paid")], start: { on: [allOf("paidd")] } }),
    ),
  ).toEqual([
    "error WB2002 at Ask.function: Unknown function `aks`.",
    "  Did you mean `ask`?",
    "error WB2003 at main.start.on[0].all[0][0].event: Unknown event `paidd`.",
    "  Did you mean `paid`?",
    "error WB2003 at Wait.alternatives[0].all[0][0].event: Unknown event `piad`.",
    "  Did you mean `paid`?",
    "error WB2003 at Wait.alternatives[0].none[0].event: Unknown event `cancelled`.",
    "error WB2003 at Tell.event: Unknown event `nothingRecorded`.",
  ]);
});

test("the hint names the section for definitions, if the language has one", () => {
  const body = main(call("Ask", "aks", data, "Tell"), emit("Tell", "nothingRecorded", data, "End"), end("End", data));
  const hints = (events: string | undefined) => {
    const found: (string | undefined)[] = [];
    analyzeProgram(
      programOf([{ ...body, functions: [], language: "toy" }]),
      ({ hint }) => found.push(hint),
      (language) => (language === "toy" ? { step: "node", functions: "calls", events } : undefined),
    );
    return found;
  };
  expect(hints("signals")).toEqual(["Define it under `calls`.", "Define it under `signals`."]);
  expect(hints(undefined)).toEqual(["Define it under `calls`.", undefined]);
});

test("an external subflow is an info, and a likely misspelling is a warning", () => {
  const starting = (id: string) => findings(main(invoke("Sub", id, data, "End"), end("End", data)), small("other"));
  expect(starting("elsewhere")).toEqual([
    "info WB2004 at Sub.workflow: Workflow `elsewhere` is not among the sources and is treated as external.",
    "  If you have its definition, compile both together.",
  ]);
  expect(starting("othr")).toEqual([
    "warning WB2007 at Sub.workflow: Workflow `othr` is not among the sources.",
    "  Did you mean `other`?",
  ]);
});

test("duplicate names", () => {
  const twice = {
    functions: [
      { name: "ask", span },
      { name: "tell", span },
      { name: "ask", span },
    ],
    events: [event("paid"), event("paid")],
  };
  const again = { ...end("Send-2", data), origin: { noun: "inject state", name: "Send", entry: true } };
  const body = scope(["data"], choose("Ask", [[data, "Send"]], "Send-2"), end("Send", data), again);
  expect(findings(small("main"), workflow(body, twice))).toEqual([
    "error WB2005 at main: Duplicate workflow id `main`.",
    "  Change one of the ids, or compile the workflows into separate programs.",
    "  at main: The first one is here.",
    "error WB2006 at main.functions[2]: Duplicate function `ask`.",
    "  Rename one of the two.",
    "  at main.functions[0]: The first one is here.",
    "error WB2006 at main.events[1]: Duplicate event `paid`.",
    "  Rename one of the two.",
    "  at main.events[0]: The first one is here.",
    "error WB2006 at Send-2: Duplicate state `Send`.",
    "  Rename one of the two.",
    "  at Send: The first one is here.",
  ]);
});

test("the same name in two scopes is valid", () => {
  const inside = (id: string) => scope([], { ...end(id, data), origin: { noun: "state", name: "Pack", entry: true } });
  const both = fork(
    "Both",
    [branch("left", inside("Both/left/Pack")), branch("right", inside("Both/right/Pack"))],
    "End",
  );
  expect(findings(main(both, end("End", data)))).toEqual([]);
});

test("transitions across branches, out of an iteration and into a branch", () => {
  const left = scope([], call("Weigh", "weigh", data, "Pack"));
  const right = scope([], end("Pack", data));
  const each = scope([], assign("Look", { x: literal(1) }, "End"));
  const steps = main(
    choose("Route", [[data, "Pack"]], "Both"),
    fork("Both", [branch("left", left), branch("right", right)], "Each"),
    forEach("Each", data, each, "End"),
    end("End", data),
  );
  expect(findings(steps)).toEqual([
    "error WB3002 at Route.cases[0].next: A transition from the workflow itself cannot lead to state `Pack` in branch `right` of state `Both`.",
    "  Stay in the same branch or iteration, or end it: the enclosing step then continues.",
    "  at Pack: `Pack` is here.",
    "error WB3002 at Weigh.next: A transition from branch `left` of state `Both` cannot lead to state `Pack` in branch `right` of state `Both`.",
    "  Stay in the same branch or iteration, or end it: the enclosing step then continues.",
    "  at Pack: `Pack` is here.",
    "error WB3002 at Look.next: A transition from state `Each` cannot lead to state `End` in the workflow itself.",
    "  Stay in the same branch or iteration, or end it: the enclosing step then continues.",
    "  at End: `End` is here.",
  ]);
});

test("an attempt around a part of a construct is not a separate scope", () => {
  const body = scope([], call("Ask/call", "ask", data, "Edn"), end("Ask/done", data));
  const attempted = attempt("Ask", body, "End", { handlers: [handler(yes, "Inner")] });
  const inner = fork("Both", [branch("one", scope([], end("Inner", data)))], "End");
  expect(findings(main(attempted, inner, end("End", data)))).toEqual([
    "error WB3002 at Ask.handlers[0].next: A transition from the workflow itself cannot lead to state `Inner` in branch `one` of state `Both`.",
    "  Stay in the same branch or iteration, or end it: the enclosing step then continues.",
    "  at Inner: `Inner` is here.",
    "error WB2001 at Ask/call.next: Unknown state `Edn`.",
    "  Did you mean `End`?",
  ]);
});
