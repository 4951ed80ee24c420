import { expect, test } from "vitest";
import { defineInfo, defineProgramInfo, summarizeFacts } from "../../src/text/diagnostics.ts";

const source = { path: "a.yaml", text: "one two three four" };
const spanAt = (start: number) => ({ source, start, end: start + 3 });
const fact = defineProgramInfo("WB9991", (a: { name: string }) => ({ message: `${a.name} needs a store.` }));
const other = defineInfo("WB9992", () => ({ message: "This is slow." }));

test("a fact of the program is reported once, with a note on the others", () => {
  const found = [fact(spanAt(0), { name: "a" }), other(spanAt(4), {}), fact(spanAt(8), { name: "b" })];
  expect(summarizeFacts([...found, fact(spanAt(14), { name: "c" })])).toEqual([
    { ...found[0], notes: [{ message: "The same applies here, and in 1 other place.", span: spanAt(8) }] },
    found[1],
  ]);
  expect(summarizeFacts(found)[0]!.notes).toEqual([{ message: "The same applies here.", span: spanAt(8) }]);
});

test("other diagnostics, and facts that the configuration makes warnings, stay", () => {
  const found = [other(spanAt(0), {}), other(spanAt(4), {})];
  const raised = [0, 4].map((start) => ({ ...fact(spanAt(start), { name: "a" }), severity: "warning" as const }));
  expect(summarizeFacts([...found, ...raised])).toEqual([...found, ...raised]);
});
