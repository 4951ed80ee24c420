import { expect, test } from "vitest";
import { analyse } from "../../src/analysis/index.ts";
import { literal } from "../../src/expressions/core/build.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/program.ts";
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

test("names that are all defined", () => {
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

test("transitions to nothing, each with the nearest name of its own scope", () => {
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
    "error WB2001 at Route.cases[0].next: There is no state named `Sedn`.",
    "  Did you mean `Send`?",
    "error WB2001 at Pack.next: There is no state named `Pakc`.",
    "  Did you mean `Pack`?",
    "error WB2001 at Pack.handlers[0].next: There is no state named `nowhere`.",
    "  The states here are `Pack`, `Packed`.",
  ]);
});

test("a start that does not exist", () => {
  const body = { ...scope(["data"], end("Begin", data)), entry: { name: "Begni", span } };
  expect(findings(workflow(body))).toEqual([
    "error WB2001 at main.body.entry: There is no state named `Begni`.",
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
    "error WB2001 at C.cases[0].next: There is no state named `Gone`.",
    "  The states here are `A`, `B`, `C`, `D`.",
  ]);
});

test("functions and events without definition", () => {
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
    "error WB2002 at Ask.function: There is no function named `aks`.",
    "  Did you mean `ask`?",
    "error WB2003 at main.start.on[0].all[0][0].event: There is no event named `paidd`.",
    "  Did you mean `paid`?",
    "error WB2003 at Wait.alternatives[0].all[0][0].event: There is no event named `piad`.",
    "  Did you mean `paid`?",
    "error WB2003 at Wait.alternatives[0].none[0].event: There is no event named `cancelled`.",
    "error WB2003 at Tell.event: There is no event named `nothingRecorded`.",
  ]);
});

test("where definitions belong is told as the workflow's language has it, if it has definitions", () => {
  const body = main(call("Ask", "aks", data, "Tell"), emit("Tell", "nothingRecorded", data, "End"), end("End", data));
  const hints = (events: string | undefined) => {
    const found: (string | undefined)[] = [];
    analyse(
      programOf([{ ...body, functions: [], language: "toy" }]),
      ({ hint }) => found.push(hint),
      (language) => (language === "toy" ? { step: "node", functions: "calls", events } : undefined),
    );
    return found;
  };
  expect(hints("signals")).toEqual(["Define it under `calls`.", "Define it under `signals`."]);
  expect(hints(undefined)).toEqual(["Define it under `calls`.", undefined]);
});

test("a subflow elsewhere is told of, and one whose name is likely misspelt is a warning", () => {
  const starting = (id: string) => findings(main(invoke("Sub", id, data, "End"), end("End", data)), small("other"));
  expect(starting("elsewhere")).toEqual([
    "info WB2004 at Sub.workflow: Workflow `elsewhere` is not among the sources; it is taken for one that exists elsewhere under this id.",
  ]);
  expect(starting("othr")).toEqual([
    "warning WB2007 at Sub.workflow: Workflow `othr` is not among the sources.",
    "  Did you mean `other`?",
  ]);
});

test("names that are given twice", () => {
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
    "error WB2005 at main: Another workflow has the id `main` already.",
    "  Give one of the two another id, or compile them to programs of their own.",
    "  at main: The first one is here.",
    "error WB2006 at main.functions[2]: There is another function named `ask`.",
    "  Give one of the two another name.",
    "  at main.functions[0]: The first one is here.",
    "error WB2006 at main.events[1]: There is another event named `paid`.",
    "  Give one of the two another name.",
    "  at main.events[0]: The first one is here.",
    "error WB2006 at Send-2: There is another state named `Send`.",
    "  Give one of the two another name.",
    "  at Send: The first one is here.",
  ]);
});

test("the same name in two scopes is fine", () => {
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
    "error WB3002 at Route.cases[0].next: State `Pack` is in branch `right` of state `Both`; a transition from the workflow itself cannot lead there.",
    "  Lead to one that stands beside it; where a branch or an iteration has ended, what is around it goes on.",
    "  at Pack: `Pack` is here.",
    "error WB3002 at Weigh.next: State `Pack` is in branch `right` of state `Both`; a transition from branch `left` of state `Both` cannot lead there.",
    "  Lead to one that stands beside it; where a branch or an iteration has ended, what is around it goes on.",
    "  at Pack: `Pack` is here.",
    "error WB3002 at Look.next: State `End` is in the workflow itself; a transition from state `Each` cannot lead there.",
    "  Lead to one that stands beside it; where a branch or an iteration has ended, what is around it goes on.",
    "  at End: `End` is here.",
  ]);
});

test("an attempt around a part of a construct is no place of its own", () => {
  const body = scope([], call("Ask/call", "ask", data, "Edn"), end("Ask/done", data));
  const attempted = attempt("Ask", body, "End", { handlers: [handler(yes, "Inner")] });
  const inner = fork("Both", [branch("one", scope([], end("Inner", data)))], "End");
  expect(findings(main(attempted, inner, end("End", data)))).toEqual([
    "error WB3002 at Ask.handlers[0].next: State `Inner` is in branch `one` of state `Both`; a transition from the workflow itself cannot lead there.",
    "  Lead to one that stands beside it; where a branch or an iteration has ended, what is around it goes on.",
    "  at Inner: `Inner` is here.",
    "error WB2001 at Ask/call.next: There is no state named `Edn`.",
    "  Did you mean `End`?",
  ]);
});
