import fc from "fast-check";
import { expect, test } from "vitest";
import { literal, object, variable } from "../../../src/expressions/build.ts";
import { freeVariables } from "../../../src/expressions/facts.ts";
import { expressionsOf, handlersOf, retriesOf, stepsById } from "../../../src/ir/walk.ts";
import type { Reference, Scope, Step } from "../../../src/ir/workflow.ts";
import { type Web, type Webs, websOf } from "../../../targets/typescript/variables/webs.ts";

const span = { source: { path: "graph", text: "" }, start: 0, end: 0 };
const to = (name: string): Reference => ({ name, span });
const names = ["a", "b", "c"] as const;
const name = fc.constantFrom(...names);
const reads = fc.uniqueArray(name, { maxLength: 2 }).map((given) => object(given.map((each) => [each, variable(each)])));

/** Scopes that set and read variables in all ways there are: assignments, answers, errors, attempts that put variables back. */
const scopes = (depth: number, prefix: string): fc.Arbitrary<Scope> =>
  fc.integer({ min: 2, max: depth === 0 ? 4 : 9 }).chain((size) => {
    const target = fc.integer({ min: 0, max: size }).map((i) => to(`${prefix}${i}`));
    const steps = Array.from({ length: size }, (_, i) => stepAt(`${prefix}${i}`, target, depth));
    const end = reads.map((value) => ({ ...common(`${prefix}${size}`), kind: "end", outcome: "leave", extent: "scope", value }) as Step);
    const variables = depth === 2 ? names.map((each) => ({ name: each, initial: each === "c" ? literal(0) : undefined })) : [];
    return fc.tuple(...steps, end).map((all) => ({ entry: to(`${prefix}0`), variables, steps: all, span }));
  });

const common = (id: string) => ({ id, origin: { noun: "step", name: id, entry: true }, span });

function stepAt(id: string, next: fc.Arbitrary<Reference>, depth: number): fc.Arbitrary<Step> {
  const bind = fc.option(name, { nil: undefined });
  const handlers = fc.array(fc.record({ when: fc.constant(literal(true)), next, bind, span: fc.constant(span) }), { maxLength: 2 });
  const retries = fc.array(fc.constant({ when: literal(true), attempts: 1, span }), { maxLength: 1 });
  const of = (fields: { readonly [field: string]: fc.Arbitrary<unknown> }) =>
    fc.record(fields).map((given) => ({ ...common(id), ...given }) as Step);
  const values = fc.uniqueArray(fc.record({ variable: fc.constantFrom("a", "b"), value: reads }), {
    selector: (each) => each.variable,
    maxLength: 2,
  });
  const cases = fc.array(fc.record({ when: reads, next, span: fc.constant(span) }), { minLength: 1, maxLength: 2 });
  const call = of({
    kind: fc.constant("call"),
    function: fc.constant(to("f")),
    argument: reads,
    wait: fc.constant(true),
    retries: fc.constant([]),
    bind,
    handlers,
    next,
  });
  return fc.oneof(
    of({ kind: fc.constant("assign"), values, next }),
    of({ kind: fc.constant("choose"), cases, otherwise: next }),
    call,
    call,
    depth === 0
      ? call
      : of({
          kind: fc.constant("attempt"),
          body: scopes(depth - 1, `${id}.`),
          restore: fc.uniqueArray(name),
          retries,
          bind,
          handlers,
          next,
        }),
  );
}

/** Where values are kept: by variable, or by web. */
interface Memory {
  read(step: Step, variable: string): unknown;
  set(step: Step, variable: string, value: unknown, handler?: number): void;
  /** Takes note of variables; gives a way to put them back. */
  keep(entry: Step, variables: readonly string[]): () => void;
}

/** Keeps the values of variables as the workflow has them. */
function byVariable(): Memory {
  const values = new Map<string, unknown>(names.map((each) => [each, `first ${each}`]));
  return {
    read: (_, variable) => values.get(variable),
    set: (_, variable, value) => values.set(variable, value),
    keep(_, variables) {
      const kept = variables.map((each) => [each, values.get(each)] as const);
      return () => {
        for (const [each, value] of kept) values.set(each, value);
      };
    },
  };
}

/** Keeps a value for each web. */
function byWeb(webs: Webs): Memory {
  const values = new Map<Web, unknown>();
  for (const each of names) {
    const web = webs.initial(each);
    if (web) values.set(web, `first ${each}`);
  }
  return {
    read: (step, variable) => values.get(webs.read(step.id, variable)!),
    set(step, variable, value, handler) {
      const web = webs.defined(step.id, variable, handler);
      if (web) values.set(web, value);
    },
    keep(entry, variables) {
      const kept = variables.flatMap((each) => webs.read(entry.id, each) ?? []).map((web) => [web, values.get(web)] as const);
      return () => {
        for (const [web, value] of kept) values.set(web, value);
      };
    },
  };
}

class Failure extends Error {}
class Over extends Error {}

/** What is read on the way through a scope, as decisions have it. */
function readsOf(scope: Scope, decisions: readonly number[], memory: Memory): readonly string[] {
  const seen: string[] = [];
  let count = 0;
  const decide = (ways: number): number => {
    if (count >= decisions.length) throw new Over();
    return decisions[count++]! % ways;
  };
  const done = (step: Step, handler: number): string => {
    const { next, bind } = handlersOf(step)[handler]!;
    if (bind !== undefined) memory.set(step, bind, `error ${count}`, handler);
    return next.name;
  };
  const attempt = (step: Extract<Step, { kind: "attempt" }>): string => {
    const entry = stepsById(step.body).get(step.body.entry.name)!;
    const putBack = memory.keep(entry, step.restore);
    for (let isFirst = true; ; isFirst = false) {
      try {
        walk(step.body);
        break;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const way = decide(2 + step.handlers.length);
        if (way >= 2) return done(step, way - 2);
        if (way === 0 || !isFirst || retriesOf(step).length === 0) throw error;
        putBack();
      }
    }
    if (step.bind !== undefined) memory.set(step, step.bind, `answer ${count}`);
    return step.next.name;
  };
  const go = (step: Step): string | undefined => {
    for (const each of new Set(expressionsOf(step).flatMap((expression) => [...freeVariables(expression)])))
      seen.push(`${step.id} reads ${each}: ${memory.read(step, each)}`);
    if (step.kind === "end") return undefined;
    if (step.kind === "attempt") return attempt(step);
    const way = decide(2 + (step.kind === "choose" ? step.cases.length : handlersOf(step).length));
    if (way === 0 && decide(2) === 0) throw new Failure();
    if (step.kind === "choose") return step.cases[way - 1]?.next.name ?? step.otherwise!.name;
    if (way >= 2) return done(step, way - 2);
    if (step.kind === "assign") for (const [i, { variable: set }] of step.values.entries()) memory.set(step, set, `value ${count} ${i}`);
    if (step.kind === "call" && step.bind !== undefined) memory.set(step, step.bind, `answer ${count}`);
    return "next" in step ? step.next.name : undefined;
  };
  const walk = (inner: Scope): void => {
    const steps = stepsById(inner);
    for (let id: string | undefined = inner.entry.name; id !== undefined; ) id = go(steps.get(id)!);
  };
  try {
    walk(scope);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Over)) throw error;
  }
  return seen;
}

test("what is read from a web is what the variable was last given", { timeout: 60_000 }, () => {
  const decisions = fc.array(fc.nat(11), { minLength: 40, maxLength: 40 });
  let [read, divided] = [0, 0];
  fc.assert(
    fc.property(scopes(2, ""), fc.array(decisions, { minLength: 5, maxLength: 5 }), (scope, all) => {
      const webs = websOf(scope);
      if (webs.all.length > new Set(webs.all.map((web) => web.variable)).size) divided += 1;
      for (const given of all) {
        const expected = readsOf(scope, given, byVariable());
        expect(readsOf(scope, given, byWeb(webs))).toEqual(expected);
        read += expected.length;
      }
    }),
    { seed: 41, numRuns: 3000 },
  );
  expect({ manyReads: read > 20_000, manyDivided: divided > 200 }).toEqual({ manyReads: true, manyDivided: true });
});
