import fc from "fast-check";
import { literal, object, variable } from "../../src/expressions/core/build.ts";
import type { Reference, Scope, Step } from "../../src/ir/workflow.ts";

/** The variables of the scopes. */
export const names = ["a", "b", "c"] as const;

const span = { source: { path: "graph", text: "" }, start: 0, end: 0 };
const to = (name: string): Reference => ({ name, span });
const name = fc.constantFrom(...names);
const reads = fc
  .uniqueArray(name, { maxLength: 2 })
  .map((given) => object(given.map((each) => [each, variable(each)])));
const always = fc.constant(literal(true));
const delay = fc.constant({ base: 0, factor: 1, step: 0 });
const retries = fc.array(fc.record({ when: always, limit: fc.constant(1), delay, span: fc.constant(span) }), {
  maxLength: 1,
});
const values = fc.uniqueArray(fc.record({ variable: fc.constantFrom("a", "b"), value: reads }), {
  selector: (each) => each.variable,
  maxLength: 2,
});

/** Scopes that set and read variables by assignments, results, errors and attempts that restore variables. */
export const scopes = (depth: number, prefix: string): fc.Arbitrary<Scope> =>
  fc.integer({ min: 2, max: depth === 0 ? 4 : 9 }).chain((size) => {
    const target = fc.integer({ min: 0, max: size }).map((i) => to(`${prefix}${i}`));
    const steps = Array.from({ length: size }, (_, i) => stepAt(`${prefix}${i}`, target, depth));
    const end = reads.map(
      (value) => ({ ...common(`${prefix}${size}`), kind: "end", outcome: "leave", extent: "scope", value }) as Step,
    );
    const variables =
      depth === 2 ? names.map((each) => ({ name: each, initial: each === "c" ? literal(0) : undefined })) : [];
    return fc.tuple(...steps, end).map((all) => ({ entry: to(`${prefix}0`), variables, steps: all, span }));
  });

const common = (id: string) => ({ id, origin: { noun: "step", name: id, entry: true }, span });

function stepAt(id: string, next: fc.Arbitrary<Reference>, depth: number): fc.Arbitrary<Step> {
  const of = (fields: { readonly [field: string]: fc.Arbitrary<unknown> }) =>
    fc.record(fields).map((given) => ({ ...common(id), ...given }) as Step);
  const bind = fc.option(name, { nil: undefined });
  const handlers = fc.array(fc.record({ when: always, next, bind, span: fc.constant(span) }), { maxLength: 2 });
  const cases = fc.array(fc.record({ when: reads, next, span: fc.constant(span) }), { minLength: 1, maxLength: 2 });
  const call = of({
    kind: fc.constant("call"),
    function: fc.constant(to("f")),
    argument: reads,
    wait: fc.constant(true),
    bind,
    handlers,
    next,
  });
  const body = () => scopes(depth - 1, `${id}.`);
  return fc.oneof(
    of({ kind: fc.constant("assign"), values, next }),
    of({ kind: fc.constant("choose"), cases, otherwise: next }),
    call,
    call,
    depth === 0
      ? call
      : of({
          kind: fc.constant("attempt"),
          body: body(),
          restore: fc.uniqueArray(name),
          retries,
          bind,
          handlers,
          next,
        }),
  );
}
