import { expect, test } from "vitest";
import { helperTable } from "../../../../targets/asl/jsonata/helpers/table.ts";

test("helpers have no cyclic dependencies, so each is defined before its use", () => {
  const table = helperTable();
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) circles.push([...way, name].join(" > "));
    else if (!done.has(name))
      for (const other of table[name]!.needs.filter((each) => each !== name)) visit(other, [...way, name]);
    done.add(name);
  };
  for (const name of Object.keys(table)) visit(name, []);
  expect(circles).toEqual([]);
});
