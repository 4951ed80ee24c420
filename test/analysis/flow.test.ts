import { describe, expect, test } from "vitest";
import type { Expression } from "../../src/expressions/core/ast.ts";
import { literal, member } from "../../src/expressions/core/build.ts";
import type { Scope, Step, Workflow } from "../../src/ir/workflow.ts";
import {
  allOf,
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  delay,
  emit,
  end,
  event,
  fail,
  forEach,
  fork,
  handler,
  invoke,
  receive,
  retry,
  scope,
  span,
  workflow,
  yes,
} from "../reference/build.ts";
import { findings } from "./findings.ts";

const main = (...steps: readonly Step[]): Workflow => workflow(scope(["data", "got"], ...steps));
const skip = (id: string, next: string): Step => assign(id, { data }, next);
const no = literal(false);
const left: Expression = member(data, "left");
const right: Expression = member(data, "right");

describe("reachability", () => {
  test("handlers, cases and attempts are followed", () => {
    const steps = [
      call("Ask", "ask", data, "Route", { handlers: [handler(yes, "Mend")] }),
      choose("Route", [[left, "Left"]], "End"),
      end("Left", data),
      end("Mend", data),
      end("End", data),
    ];
    expect(findings(main(...steps))).toEqual([]);
  });

  test("each unreachable construct is reported once, without its steps", () => {
    const inside = scope([], end("Inner", data), end("Alone", data));
    const lost = [skip("Lost", "Lost/more"), skip("Lost/more", "Far"), forEach("Far", data, inside, "End")];
    expect(findings(main(skip("Begin", "End"), ...lost, end("End", data)))).toEqual([
      "warning WB3001 at Lost: State `Lost` is unreachable.",
      "  Add a transition to it, or remove it.",
      "warning WB3001 at Far: State `Far` is unreachable.",
      "  Add a transition to it, or remove it.",
      "warning WB3001 at Alone: State `Alone` is unreachable.",
      "  Add a transition to it, or remove it.",
    ]);
  });
});

describe("ends", () => {
  test("loops may end by data, a missing default, an error or an event", () => {
    const loop = (id: string, ...steps: readonly Step[]): Scope => scope(["data"], ...steps, end(`${id} end`, data));
    const bodies = [
      loop("a", skip("A", "A2"), choose("A2", [[left, "A"]], "a end")),
      loop("b", choose("B", [[left, "B2"]]), choose("B2", [[right, "b end"]], "B")),
      loop("c", call("C", "ask", data, "C", { handlers: [handler(yes, "c end")] })),
    ];
    const split = fork(
      "Split",
      bodies.map((body, i) => branch(String(i), body)),
      "End",
    );
    expect(findings(main(split, end("End", data)))).toEqual([]);
  });

  test("a loop that only computes", () => {
    expect(
      findings(main(skip("Begin", "Tick"), skip("Tock", "Tick"), skip("Tick", "Tick/more"), skip("Tick/more", "Tock"))),
    ).toEqual([
      "error WB3004 at Tock: This loop never waits and has no exit: `Tock` → `Tick` → `Tock`.",
      "  Add a path that leaves the loop.",
      "  at Tock.next: `Tock` leads to `Tick` here.",
      "  at Tick/more.next: `Tick` leads to `Tock` here.",
    ]);
  });

  test("a loop whose exit condition never holds or follows one that always holds", () => {
    const never = main(
      choose(
        "A",
        [
          [no, "End"],
          [yes, "A"],
          [left, "End"],
        ],
        "End",
      ),
      end("End", data),
    );
    expect(findings(never)).toEqual([
      "error WB3004 at A: This loop never waits and has no exit: `A` → `A`.",
      "  Add a path that leaves the loop.",
      "  at A.cases[1].next: `A` leads to `A` here.",
      "warning WB3005 at A.cases[0]: This case is never taken: its condition never holds.",
      "  Change the condition, or remove the case.",
      "warning WB3005 at A.cases[2]: This case is never taken: an earlier condition always holds.",
      "  Change the condition, or remove the case.",
      "  at A.cases[1]: This always holds.",
    ]);
  });

  test("computing in scopes and waiting for zero seconds does not count as waiting", () => {
    const inner = scope([], skip("X", "Y"), end("Y", data));
    const steps = [
      attempt("Try", inner, "Nap"),
      delay("Nap", literal(0), "Each"),
      forEach("Each", data, scope([], end("Z", data)), "Try"),
    ];
    expect(findings(main(...steps))[0]).toBe(
      "error WB3004 at Try: This loop never waits and has no exit: `Try` → `Nap` → `Each` → `Try`.",
    );
  });

  test.each([
    ["a call", call("Work", "ask", data, "Rest")],
    ["a delay", delay("Work", literal(1), "Rest")],
    ["an event", receive("Work", [allOf("tick")], "got", "Rest")],
    ["an event of ours", emit("Work", "tick", data, "Rest")],
    [
      "a call in a branch",
      fork("Work", [branch("one", scope([], call("Inside", "ask", data, "Done"), end("Done", data)))], "Rest"),
    ],
  ])("an endless loop with %s", (_, work) => {
    const body = scope(["data", "got"], work, skip("Rest", "Work"));
    expect(findings(workflow(body, { events: [event("tick")] }))).toEqual([
      "error WB3003 at Work: No path leads from state `Work` to an end: `Work` → `Rest` → `Work`.",
      "  Add a path that leaves the loop.",
      "  at Work.next: `Work` leads to `Rest` here.",
      "  at Rest.next: `Rest` leads to `Work` here.",
    ]);
  });

  test("only the loop is reported, not what leads to it", () => {
    const steps = [
      choose("Begin", [[left, "Ask"]], "End"),
      call("Ask", "ask", data, "Rest"),
      delay("Rest", literal(1), "Rest"),
      end("End", data),
    ];
    expect(findings(main(...steps)).filter((line) => !line.startsWith(" "))).toEqual([
      "error WB3003 at Rest: No path leads from state `Rest` to an end: `Rest` → `Rest`.",
    ]);
  });

  test("a loop of many states is abbreviated", () => {
    const ring = Array.from({ length: 50 }, (_, i) => skip(`S${i}`, `S${(i + 1) % 50}`));
    const [first, ...notes] = findings(main(...ring));
    const names = Array.from({ length: 11 }, (_, i) => `\`S${i}\``).join(" → ");
    expect(first).toBe(`error WB3004 at S0: This loop never waits and has no exit: ${names} → (39 more) → \`S0\`.`);
    expect(notes).toHaveLength(21);
  });

  const forever = (id: string): Scope => scope([], call(id, "ask", data, id));
  const ended = scope([], end("Enough", data, "run"));

  test.each([
    ["a timeout around it", attempt("Work", forever("Ask"), "End", { timeout: 60 })],
    ["a handler around it", attempt("Work", forever("Ask"), "End", { handlers: [handler(yes, "End")] })],
    [
      "a handler further out",
      attempt("Work", scope([], forEach("Each", data, forever("Ask"), "Done"), end("Done", data)), "End", {
        handlers: [handler(yes, "End")],
      }),
    ],
    [
      "a join that does without it",
      fork("Work", [branch("a", forever("Ask")), branch("b", scope([], end("B", data)))], "End", {
        join: { kind: "some", count: 1 },
      }),
    ],
    ["a branch beside it that ends the run", fork("Work", [branch("a", forever("Ask")), branch("b", ended)], "End")],
  ])("an endless loop is valid with %s", (_, work) => {
    expect(findings(main(work, end("End", data)))).toEqual([]);
  });

  test("a loop in a joined branch is not valid", () => {
    const both = fork("Both", [branch("a", forever("Ask")), branch("b", scope([], end("B", data)))], "End");
    expect(findings(main(both, end("End", data)))[0]).toBe(
      "error WB3003 at Ask: No path leads from state `Ask` to an end: `Ask` → `Ask`.",
    );
  });

  test("a step in the loop may end the run from an inner scope or by a subflow", () => {
    expect(findings(main(fork("Work", [branch("a", ended)], "Rest"), skip("Rest", "Work")))).toEqual([]);
    const loop = main(invoke("Sub", "stop", data, "Sub", { terminates: true }));
    expect(findings(loop, workflow(scope(["data"], end("Stop", data, "run")), { id: "stop" }))).toEqual([]);
    const tame = workflow(scope(["data"], end("Stop", data)), { id: "stop" });
    expect(findings(loop, tame)[0]).toBe(
      "error WB3003 at Sub: No path leads from state `Sub` to an end: `Sub` → `Sub`.",
    );
  });

  test("a failure is an end", () => {
    expect(findings(main(call("Ask", "ask", data, "Stop"), fail("Stop", "Stopped")))).toEqual([]);
  });
});

describe("conditions", () => {
  test("different conditions with a default", () => {
    expect(
      findings(
        main(
          choose("Route", [
            [left, "End"],
            [right, "End"],
            [yes, "End"],
          ]),
          end("End", data),
        ),
      ),
    ).toEqual([]);
  });

  test("equal conditions in choices, handlers and retries", () => {
    const handlers = [handler(left, "End"), handler(left, "End"), handler(yes, "End"), handler(right, "End")];
    const retries = [retry(1, 1, { when: right }), retry(2, 2, { when: right })];
    const steps = [
      choose(
        "Route",
        [
          [left, "Ask"],
          [right, "End"],
          [left, "End"],
        ],
        "End",
      ),
      call("Ask", "ask", data, "End", { handlers, retries }),
      end("End", data),
    ];
    expect(findings(main(...steps))).toEqual([
      "warning WB3005 at Route.cases[2]: This case is never taken: an earlier condition is identical.",
      "  Change the condition, or remove the case.",
      "  at Route.cases[0]: The same condition is here.",
      "warning WB3005 at Ask.retries[1]: This case is never taken: an earlier condition is identical.",
      "  Change the condition, or remove the case.",
      "  at Ask.retries[0]: The same condition is here.",
      "warning WB3005 at Ask.handlers[1]: This case is never taken: an earlier condition is identical.",
      "  Change the condition, or remove the case.",
      "  at Ask.handlers[0]: The same condition is here.",
      "warning WB3005 at Ask.handlers[3]: This case is never taken: an earlier condition always holds.",
      "  Change the condition, or remove the case.",
      "  at Ask.handlers[2]: This always holds.",
    ]);
  });
});

describe("recursion", () => {
  const starts = (id: string, other: string, wait = true, before: readonly Step[] = []): Workflow =>
    workflow(
      scope(
        ["data", "got"],
        ...before,
        invoke(`${id}:sub`, other, data, `${id}:end`, { wait }),
        end(`${id}:end`, data),
      ),
      { id },
    );

  test("a tree of subflows", () => {
    expect(
      findings(
        starts("a", "b"),
        starts("b", "c"),
        starts("d", "c"),
        workflow(scope(["data"], end("End", data)), { id: "c" }),
      ),
    ).toEqual([]);
  });

  test("a cycle on every path", () => {
    expect(
      findings(
        starts("x", "a"),
        starts("b", "c"),
        starts("c", "a"),
        starts("a", "b", true, [delay("a:nap", literal(1), "a:sub")]),
      ),
    ).toEqual([
      "error WB3007 at b:sub.workflow: Each of these workflows always starts the next and waits for it: `b` → `c` → `a` → `b`.",
      "  Add a path that does not start the next run.",
      "  at c:sub.workflow: `c` starts `a` here.",
      "  at a:sub.workflow: `a` starts `b` here.",
    ]);
  });

  test.each([
    ["decided by data", [choose("a:if", [[left, "a:end"]], "a:sub")], true],
    ["begun by an event", [receive("a:wait", [allOf("tick")], "got", "a:sub")], true],
    ["left after an error", [call("a:ask", "ask", data, "a:sub", { handlers: [handler(yes, "a:end")] })], true],
    ["not waited for", [], false],
  ])("a cycle that is %s", (_, before, wait) => {
    const looping = starts("a", "a", wait, before);
    expect(findings({ ...looping, events: [event("tick")] })).toEqual([
      "warning WB3006 at a:sub.workflow: Workflow `a` starts itself.",
      "  Make sure that a condition ends the recursion.",
    ]);
  });

  const sub = () => scope([], invoke("Sub", "main", data, "In"), end("In", data));
  const other = () => scope([], end("Out", data));
  const all = [
    ["a branch", fork("Each", [branch("one", sub()), branch("two", other())], "End")],
    [
      "all branches",
      fork("Each", [branch("one", sub()), branch("two", sub())], "End", { join: { kind: "some", count: 1 } }),
    ],
    ["an iteration", forEach("Each", literal([1]), sub(), "End")],
    ["an attempt", attempt("Each", sub(), "End")],
  ] as const;
  test.each(all)("a certain cycle through %s", (_, step) => {
    const [found] = findings(workflow(scope(["data"], step, end("End", data))));
    expect(found).toBe("error WB3007 at Sub.workflow: Workflow `main` always starts itself and waits for the result.");
  });

  const quits = () => scope([], end("Out", data, "run"));
  const possible = [
    [
      "a branch of several",
      fork("Each", [branch("one", sub()), branch("two", other())], "End", { join: { kind: "some", count: 1 } }),
    ],
    ["a branch next to one that ends the run", fork("Each", [branch("one", sub()), branch("two", quits())], "End")],
    ["iterations over data", forEach("Each", data, sub(), "End")],
    ["an attempt with a handler", attempt("Each", sub(), "End", { handlers: [handler(yes, "End")] })],
  ] as const;
  test.each(possible)("a possible cycle through %s", (_, step) => {
    expect(findings(workflow(scope(["data"], step, end("End", data))))).toEqual([
      "warning WB3006 at Sub.workflow: Workflow `main` starts itself.",
      "  Make sure that a condition ends the recursion.",
    ]);
  });

  test("a cycle within a window", () => {
    const timed = { ...starts("a", "a"), start: { span, window: { until: "2030-01-01T00:00:00Z" } } };
    expect(findings(timed)).toEqual([
      "warning WB3006 at a:sub.workflow: Workflow `a` starts itself.",
      "  Make sure that a condition ends the recursion.",
    ]);
  });
});
