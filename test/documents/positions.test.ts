import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { positionOf } from "../../src/text/source.ts";
import { only, textOf } from "./reading.ts";

const yaml = "# a workflow\nid: greet\nstates:\n- name: One\n  end:\n- {name: 'Two'}\n\nlast: x\n";
const json = '{\n  "id": "greet",\n  "states": [ { "name": "One" }, {"name": "Two" } ]\n}\n';

describe("spanOf", () => {
  it("finds objects, keys and values in YAML", () => {
    const document = only(yaml);
    const value = document.value as { readonly states: readonly JsonObject[] };
    expect(textOf(document.span)).toBe(yaml.slice(yaml.indexOf("id"), -1));
    expect(textOf(document.start)).toBe("id");
    expect(textOf(document.spanOf(value, "id", "key"))).toBe("id");
    expect(textOf(document.spanOf(value, "id"))).toBe("greet");
    expect(textOf(document.spanOf(value.states))).toBe("- name: One\n  end:\n- {name: 'Two'}");
    expect(textOf(document.spanOf(value.states, 1))).toBe("{name: 'Two'}");
    expect(textOf(document.spanOf(value.states[1], "name"))).toBe("'Two'");
    expect(textOf(document.spanOf(value.states[0]))).toBe("name: One\n  end:");
  });

  it("finds them in JSON", () => {
    const document = only(json, "w.json");
    const value = document.value as { readonly states: readonly JsonObject[] };
    expect(textOf(document.span)).toBe(json.trimEnd());
    expect(textOf(document.start)).toBe('"id"');
    expect(textOf(document.spanOf(value, "states", "key"))).toBe('"states"');
    expect(textOf(document.spanOf(value.states[1]))).toBe('{"name": "Two" }');
    expect(textOf(document.spanOf(value.states[0], "name"))).toBe('"One"');
  });

  it("gives the key for a value that is not there, and the nearest place for what it does not know", () => {
    const document = only(yaml);
    const value = document.value as { readonly states: readonly JsonObject[] };
    expect(textOf(document.spanOf(value.states[0], "end"))).toBe("end");
    expect(textOf(document.spanOf(value.states[1], "missing"))).toBe("{name: 'Two'}");
    expect(textOf(document.spanOf(value.states, 7))).toBe(textOf(document.spanOf(value.states)));
    expect(document.spanOf({ other: 1 })).toEqual(document.span);
    expect(document.spanOf("greet", "length")).toEqual(document.span);
  });

  it("finds properties of large objects", () => {
    const names = Array.from({ length: 500 }, (_, i) => `k${i}`);
    const document = only(names.map((name) => `${name}: v-${name}\n`).join(""));
    expect(names.map((name) => textOf(document.spanOf(document.value, name)))).toEqual(
      names.map((name) => `v-${name}`),
    );
  });

  it("starts at the first line of a document that is no object", () => {
    expect(textOf(only("- a\n- b\n").start)).toBe("- a");
    expect(textOf(only("text\n").start)).toBe("text");
  });

  it("counts columns without a byte order mark", () => {
    const document = only("\uFEFFid: greet\r\nname: x\r\n");
    expect(positionOf(document.source, document.spanOf(document.value, "id", "key").start)).toEqual({
      line: 1,
      column: 1,
    });
    expect(positionOf(document.source, document.spanOf(document.value, "name", "key").start)).toEqual({
      line: 2,
      column: 1,
    });
  });
});

describe("withValue", () => {
  const document = only("states:\n- Name: One\n  onevents: {Kind: x}\n");
  const original = document.value as { readonly states: readonly JsonObject[] };
  const state = { name: "one", onEvents: original.states[0]!["onevents"]!, added: 1 };
  const states = [state];
  const written = new Map([
    ["name", "Name"],
    ["onEvents", "onevents"],
  ]);
  const origins = new Map<object, { of: object; written?: Map<string, string> }>([
    [states, { of: original.states }],
    [state, { of: original.states[0]!, written }],
  ]);
  const copy = document.withValue({ states }, origins);

  it("finds copied and renamed parts, and parts that are no copies", () => {
    expect(copy.value).toEqual({ states: [{ name: "one", onEvents: { Kind: "x" }, added: 1 }] });
    expect(textOf(copy.spanOf(state, "name"))).toBe("One");
    expect(textOf(copy.spanOf(state, "name", "key"))).toBe("Name");
    expect(textOf(copy.spanOf(states, 0))).toBe("Name: One\n  onevents: {Kind: x}");
    expect(textOf(copy.spanOf(state["onEvents"], "Kind"))).toBe("x");
    expect(textOf(copy.spanOf(state, "added"))).toBe("Name: One\n  onevents: {Kind: x}");
  });

  it("finds copies of copies", () => {
    const again = { title: "one" };
    const twice = copy.withValue(again, new Map([[again, { of: state, written: new Map([["title", "name"]]) }]]));
    expect(textOf(twice.spanOf(again, "title", "key"))).toBe("Name");
  });
});

describe("spanWithin", () => {
  const text = [
    "plain: a.b-c",
    "single: 'it''s $.x'",
    'double: "a\\tb \\u0041 \\"c\\""',
    "literal: |",
    "  first line",
    "    $.second",
    "",
    "  third",
    "folded: >-",
    "  only one line",
    "joined: >-",
    "  one",
    "  two",
    "long: first part",
    "  second part",
    "number: 12",
    "anchored: &a xyz",
    "alias: *a",
    "",
  ].join("\n");
  const document = only(text);
  const value = document.value as { readonly [key: string]: string };
  const stretch = (key: string, part: string) => {
    const from = value[key]!.indexOf(part);
    return textOf(document.spanWithin(value, key, from, from + part.length));
  };

  it("is exact in plain and quoted scalars", () => {
    expect(stretch("plain", "b-c")).toBe("b-c");
    expect(stretch("single", "$.x")).toBe("$.x");
    expect(stretch("single", "it's")).toBe("it''s");
    expect(stretch("double", "b A")).toBe("b \\u0041");
    expect(stretch("double", '"c"')).toBe('\\"c\\"');
    expect(stretch("anchored", "yz")).toBe("yz");
    expect(stretch("alias", "yz")).toBe("yz");
  });

  it("is exact in block scalars that are not folded", () => {
    expect(stretch("literal", "$.second")).toBe("$.second");
    expect(stretch("literal", "third")).toBe("third");
    expect(stretch("literal", "line\n  $.sec")).toBe("line\n    $.sec");
    expect(stretch("folded", "one")).toBe("one");
  });

  it("is the whole value where offsets differ", () => {
    expect(stretch("joined", "two")).toBe(">-\n  one\n  two");
    expect(stretch("long", "second")).toBe("first part\n  second part");
    expect(stretch("long", "part")).toBe("part");
    expect(textOf(document.spanWithin(value, "number", 0, 1))).toBe("12");
    expect(textOf(document.spanWithin(value, "missing", 0, 1))).toBe(textOf(document.span));
  });

  it("keeps to the value when offsets are beyond its end", () => {
    expect(textOf(document.spanWithin(value, "plain", 3, 99))).toBe("-c");
    expect(textOf(document.spanWithin(value, "single", 99, 99))).toBe("");
  });

  it("is exact in JSON strings with escapes", () => {
    const json = only('{"path": "$.x[?(@.a == \\"b\\")].c\\ud83d\\ude00d"}', "w.json");
    const path = (json.value as { readonly path: string }).path;
    const at = (part: string) =>
      textOf(json.spanWithin(json.value, "path", path.indexOf(part), path.indexOf(part) + part.length));
    expect(at('"b"')).toBe('\\"b\\"');
    expect(at("].c")).toBe("].c");
    expect(at("d")).toBe("d");
  });
});
