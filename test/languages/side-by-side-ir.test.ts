import { expect, test } from "vitest";
import { parse } from "yaml";
import { check } from "../../src/compile.ts";
import { exits, handlersOf, innerScopes, retriesOf } from "../../src/ir/walk.ts";
import type { Call, Scope, Step, Workflow } from "../../src/ir/workflow.ts";
import { goldenNames, readGolden } from "../golden/folder.ts";
import { languages } from "../languages.ts";

// The order process of `side-by-side.test.ts` compiles to equivalent IR in all languages, up to documented differences.
// Compares calls, their successors, and the enclosing parallel constructs; ignores names and computing steps.

interface Called {
  /** Enclosing parallel or repeated constructs, outermost first. */
  readonly within: readonly string[];
  /** Its retries; a retry made of steps appears in `next` instead. */
  readonly again: string;
  /** Possible next calls, or `end`. */
  readonly next: readonly string[];
}

type Calls = { readonly [name: string]: Called };

const never = "never";
const process: Calls = {
  checkCustomer: { within: [], again: "2 times after 1 s", next: ["rejectOrder", "reservePayment", "reserveStock"] },
  rejectOrder: { within: [], again: never, next: ["end"] },
  reserveStock: { within: ["branch"], again: never, next: ["notifyCustomer", "shipLine"] },
  reservePayment: { within: ["branch"], again: never, next: ["notifyCustomer", "shipLine"] },
  shipLine: { within: ["each, 1 at once"], again: never, next: ["notifyCustomer", "shipLine"] },
  notifyCustomer: { within: [], again: never, next: ["end"] },
};

/** Documented differences of a language. */
const differences: { readonly [language: string]: { readonly [name in keyof typeof process]?: Partial<Called> } } = {
  asl: {},
  "serverless-workflow": {},
  "serverless-workflow-0.8": {},
  // A task is retried with its input; rounds of a loop carry data.
  "serverless-workflow-1.0": { shipLine: { within: [] } },
  sm4c: {},
  // Actions transform all data, so branches carry it past actions, and loops consist of states. Retries may match
  // results too, and are then steps.
  "function-workflow": {
    checkCustomer: {
      within: ["branch"],
      again: never,
      next: ["checkCustomer", "rejectOrder", "reservePayment", "reserveStock"],
    },
    shipLine: { within: ["branch", "branch"] },
  },
  // Retry policies name codes of the platform only: a loop inspects caught errors.
  yawl: { checkCustomer: { again: never, next: ["checkCustomer", "rejectOrder", "reservePayment", "reserveStock"] } },
  // Without parallel work, loops over arrays and retries, calls form a sequence. Errors are results, and end the run
  // like any other.
  "composer-fsm": {
    checkCustomer: { again: never, next: ["checkCustomer", "end", "rejectOrder", "reserveStock"] },
    reserveStock: { within: [], next: ["reservePayment"] },
    reservePayment: { within: [] },
    shipLine: { within: [] },
  },
};

test.each(Object.keys(differences))("the order process in %s", async (language) => {
  const { sources } = readGolden(`${language}/order-process`, (text) => parse(text));
  const { program } = check({ sources, options: {} }, languages);
  const expected = Object.entries(process).map(([name, called]) => [
    name,
    { ...called, ...differences[language]![name] },
  ]);
  expect(callsOf(program!.workflows[0]!)).toEqual(Object.fromEntries(expected));
});

test("compares every language with the process", () => {
  const written = goldenNames().flatMap((name) => /^(.*)\/order-process$/.exec(name)?.[1] ?? []);
  expect(Object.keys(differences).sort()).toEqual(written.sort());
});

/** A step with its enclosing scopes. */
interface Spot {
  readonly step: Step;
  readonly scope: Scope;
  readonly outer: Spot | undefined;
  /** Branches of a fork that end without a call; the successor starts after all of them. */
  readonly idle?: Set<Scope>;
}

function callsOf(workflow: Workflow): Calls {
  const spots = spotsIn(workflow.body, undefined);
  const own = (step: Step): step is Call => step.kind === "call" && Object.hasOwn(process, step.function.name);
  const calls = spots.flatMap(({ step, ...spot }): readonly (readonly [string, Called])[] =>
    own(step)
      ? [
          [
            step.function.name,
            {
              within: constructs(spot),
              again: retriesAround({ step, ...spot }) ?? never,
              next: nextCalls({ step, ...spot }, own),
            },
          ],
        ]
      : [],
  );
  return Object.fromEntries(calls);
}

const spotsIn = (scope: Scope, outer: Spot | undefined): readonly Spot[] =>
  scope.steps.flatMap((step) => {
    const spot = { step, scope, outer };
    return [spot, ...innerScopes(step).flatMap((inner) => spotsIn(inner, spot))];
  });

function constructs({ outer }: Pick<Spot, "outer">): readonly string[] {
  if (!outer) return [];
  const { step } = outer;
  const own =
    step.kind === "fork" ? ["branch"] : step.kind === "foreach" ? [`each, ${step.width ?? "all"} at once`] : [];
  return [...constructs(outer), ...own];
}

/** The retries of a step or an enclosing attempt. */
function retriesAround({ step, outer }: Spot): string | undefined {
  const [retry] = retriesOf(step);
  if (retry) return `${retry.limit} times after ${retry.delay.base} s`;
  return outer?.step.kind === "attempt" ? retriesAround(outer) : undefined;
}

/** The next possible calls of the process; the end of a scope continues after its step. */
function nextCalls(from: Spot, own: (step: Step) => step is Call): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<Step>();
  const enter = (spot: Spot): void => {
    if (own(spot.step)) found.add(spot.step.function.name);
    else if (!seen.has(spot.step)) {
      seen.add(spot.step);
      const inner = innerScopes(spot.step);
      const idle = spot.step.kind === "fork" ? new Set<Scope>() : undefined;
      for (const scope of inner) go(scope, scope.entry.name, idle ? { ...spot, idle } : spot);
      if (inner.length === (idle?.size ?? 0) || spot.step.kind === "foreach") leave(spot);
    }
  };
  const go = (scope: Scope, id: string, outer: Spot | undefined): void =>
    enter({ step: scope.steps.find((step) => step.id === id)!, scope, outer });
  const leave = ({ step, scope, outer }: Spot): void => {
    for (const { name } of [...exits(step), ...handlersOf(step).map(({ next }) => next)]) go(scope, name, outer);
    if (step.kind !== "end" || step.outcome === "fail") return;
    if (!outer || step.extent === "run") found.add("end");
    else if (outer.idle) outer.idle.add(scope);
    else {
      if (outer.step.kind === "foreach") go(scope, scope.entry.name, outer);
      leave(outer);
    }
  };
  leave(from);
  return [...found].sort();
}
