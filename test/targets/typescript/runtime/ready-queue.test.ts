import fc from "fast-check";
import { expect, test } from "vitest";
import { byPosition, type QueueItem, ReadyQueue } from "../../../../targets/typescript/runtime/flow/ready-queue.ts";

const itemAt = (position: readonly number[]): QueueItem => ({ position, order: 0, next: undefined });

const position = fc.array(fc.oneof(fc.nat(3), fc.constant(Number.POSITIVE_INFINITY)), { maxLength: 3 });

test("who stands in line comes out by position, and of one position who came first", () => {
  const property = fc.property(fc.array(fc.option(position), { maxLength: 60 }), (acts) => {
    const queue = new ReadyQueue<QueueItem>();
    const model: QueueItem[] = [];
    const pop = () => {
      const first = model.toSorted((a, b) => byPosition(a.position, b.position))[0];
      if (first) model.splice(model.indexOf(first), 1);
      expect(queue.pop()).toBe(first);
      expect(queue.isEmpty).toBe(model.length === 0);
    };
    for (const at of acts) {
      if (at === null) {
        pop();
        continue;
      }
      const item = itemAt(at);
      model.push(item);
      queue.push(item);
    }
    while (model.length > 0) pop();
    pop();
  });
  fc.assert(property, { seed: 5, numRuns: 1000 });
});

test("what has come out may stand in line again", () => {
  const queue = new ReadyQueue<QueueItem>();
  const [a, b] = [itemAt([0]), itemAt([1])];
  queue.push(a);
  queue.push(b);
  expect(queue.pop()).toBe(a);
  queue.push(a);
  expect([queue.pop(), queue.pop(), queue.pop()]).toEqual([a, b, undefined]);
});
