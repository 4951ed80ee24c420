import { expect, test } from "vitest";
import { failuresOnAll } from "../../targets/on-all.ts";

const workflow = (filter: string) => `document: { dsl: 1.0.3, namespace: test, name: filtered, version: 1.0.0 }
do:
  - outer:
      try:
        - fail: { raise: { error: { type: https://shop.example/broken, status: 400 } } }
      catch:
        errors: { with: ${filter} }
        do:
          - keep: { set: { caught: true } }
`;

test.each(["title: Conflict", "detail: gone", 'instance: "/do/0", title: Conflict'])(
  "an error without the properties of a filter is not caught: %s",
  async (filter) => {
    const scenarios = `scenarios:
- name: fails
  expect: { status: failed, error: { name: https://shop.example/broken } }
`;
    expect(await failuresOnAll(scenarios, [workflow(`{ ${filter} }`)], (each) => each)).toEqual([]);
  },
);
