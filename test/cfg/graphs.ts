import fc from "fast-check";
import { literal } from "../../src/expressions/core/build.ts";
import type { Reference, Scope, Step } from "../../src/ir/workflow.ts";

const span = { source: { path: "graph", text: "" }, start: 0, end: 0 };
const to = (name: string): Reference => ({ name, span });
const none = literal(null);

/** A short description of a step: its kind, successors and handlers. */
export interface Sketch {
  readonly kind: "assign" | "choose" | "call" | "end" | "attempt";
  readonly ways: readonly string[];
  /** Whether the last successor of a choice is its default. */
  readonly hasOtherwise?: boolean;
  readonly handlers?: readonly string[];
  readonly body?: Scope;
}

/** Creates a scope from sketches; the first step is the entry. */
export function scopeOf(sketches: { readonly [id: string]: Sketch }): Scope {
  const steps = Object.entries(sketches).map(([id, sketch]) => stepOf(id, sketch));
  return { entry: to(steps[0]!.id), variables: [], steps, span };
}

function stepOf(id: string, { kind, ways, hasOtherwise, handlers = [], body }: Sketch): Step {
  const common = { id, origin: { noun: "step", name: id, entry: true }, span };
  const next = to(ways[0] ?? id);
  const handled = { retries: [], handlers: handlers.map((name) => ({ when: literal(true), next: to(name), span })) };
  switch (kind) {
    case "assign":
      return { ...common, kind, values: [], next };
    case "choose": {
      const cases = (hasOtherwise ? ways.slice(0, -1) : ways).map((name) => ({ when: none, next: to(name), span }));
      return { ...common, kind, cases, otherwise: hasOtherwise ? to(ways.at(-1)!) : undefined };
    }
    case "call":
      return { ...common, kind, function: to("work"), argument: none, wait: true, ...handled, next };
    case "attempt":
      return { ...common, kind, body: body!, restore: [], ...handled, next };
    case "end":
      return { ...common, kind, outcome: "leave", extent: "scope", value: none };
  }
}

const kinds = fc.constantFrom<Sketch["kind"]>(
  "assign",
  "assign",
  "choose",
  "choose",
  "choose",
  "call",
  "call",
  "end",
  "attempt",
);

/** Arbitrary scopes with nested and irreducible loops, several ends, handlers and attempts. */
export const scopes = (depth = 2, prefix = ""): fc.Arbitrary<Scope> =>
  fc.integer({ min: 1, max: depth === 2 ? 12 : 5 }).chain((size) => {
    const target = fc.integer({ min: 0, max: size - 1 }).map((i) => `${prefix}${i}`);
    const steps = Array.from({ length: size }, (_, i) =>
      fc
        .record({
          kind: kinds,
          ways: fc.array(target, { minLength: 1, maxLength: 3 }),
          hasOtherwise: fc.boolean(),
          handlers: fc.array(target, { maxLength: 2 }),
          body: depth === 0 ? fc.constant(undefined) : scopes(depth - 1, `${prefix}${i}.`),
        })
        .map(
          ({ kind, body, ...sketch }): Sketch =>
            body ? { kind, body, ...sketch } : { kind: kind === "attempt" ? "call" : kind, ...sketch },
        ),
    );
    return fc
      .tuple(...steps)
      .map((sketches) => scopeOf(Object.fromEntries(sketches.map((sketch, i) => [`${prefix}${i}`, sketch]))));
  });

/** Scopes of choices that mostly continue, so that many are nested, and sometimes end or go back. */
export const deepScopes: fc.Arbitrary<Scope> = fc
  .array(
    fc.record({
      kind: fc.constantFrom<Sketch["kind"]>("choose", "choose", "choose", "choose", "assign", "call"),
      leaps: fc.array(fc.constantFrom(1, 1, 1, 2, 3, 90, -4), { minLength: 2, maxLength: 3 }),
      hasOtherwise: fc.boolean(),
    }),
    { minLength: 60, maxLength: 90 },
  )
  .map((steps) => {
    const size = steps.length;
    const sketches = steps.map(({ kind, leaps, hasOtherwise }, i): Sketch => {
      const ways = leaps.map((leap) => `${Math.max(0, Math.min(size, i + leap))}`);
      return { kind, ways, hasOtherwise, handlers: kind === "call" ? ways.slice(1) : [] };
    });
    return scopeOf(
      Object.fromEntries(
        [...sketches, { kind: "end", ways: [] } as const].map((sketch, i) => [`s${i}`, renamed(sketch)]),
      ),
    );
  });

const renamed = (sketch: Sketch): Sketch => ({
  ...sketch,
  ways: sketch.ways.map((id) => `s${id}`),
  handlers: (sketch.handlers ?? []).map((id) => `s${id}`),
});
