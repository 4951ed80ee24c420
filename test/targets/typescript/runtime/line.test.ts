import fc from "fast-check";
import { expect, test } from "vitest";
import { byPosition, Line, type Standing } from "../../../../targets/typescript/runtime/flow/line.ts";

const standing = (position: readonly number[]): Standing => ({ position, order: 0, next: undefined });

const position = fc.array(fc.oneof(fc.nat(3), fc.constant(Number.POSITIVE_INFINITY)), { maxLength: 3 });

test("who stands in line comes out by position, and of one position who came first", () => {
  const property = fc.property(fc.array(fc.option(position), { maxLength: 60 }), (acts) => {
    const line = new Line<Standing>();
    const model: Standing[] = [];
    const take = () => {
      const first = model.toSorted((a, b) => byPosition(a.position, b.position))[0];
      if (first) model.splice(model.indexOf(first), 1);
      expect(line.take()).toBe(first);
      expect(line.isEmpty).toBe(model.length === 0);
    };
    for (const at of acts) {
      if (at === null) {
        take();
        continue;
      }
      const item = standing(at);
      model.push(item);
      line.put(item);
    }
    while (model.length > 0) take();
    take();
  });
  fc.assert(property, { seed: 5, numRuns: 1000 });
});

test("what has come out may stand in line again", () => {
  const line = new Line<Standing>();
  const [a, b] = [standing([0]), standing([1])];
  line.put(a);
  line.put(b);
  expect(line.take()).toBe(a);
  line.put(a);
  expect([line.take(), line.take(), line.take()]).toEqual([a, b, undefined]);
});
