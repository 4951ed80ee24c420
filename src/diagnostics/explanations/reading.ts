import type { Explanations } from "./explanation.ts";

const good = `id: greet
name: Greet
version: '1.0'
states:
- name: Greet
  type: inject
  start: { kind: default }
  data: { hello: world }
  end: { kind: default }
`;

const goodJson = `{
  "id": "greet",
  "name": "Greet",
  "version": "1.0",
  "states": [
    {
      "name": "Greet",
      "type": "inject",
      "start": { "kind": "default" },
      "data": { "hello": "world" },
      "end": { "kind": "default" }
    }
  ]
}
`;

/** The good text with one line written in another way. */
const instead = (line: string, other: string): string => good.replace(line, other);

const file = "workflow.yaml";

/** How a text becomes plain data, and what keeps it from it. */
export const reading: Explanations = {
  WB0001: {
    means: "The text has more bytes than the limit, which is 4 MiB unless another one is given.",
    why: "Reading a text takes about a hundred times its size in memory. A definition of that size is nearly always a mistake, such as a data file that was taken for one.",
    example: { file, bad: good.replace("hello: world", "hello: a very large world"), good, maximumBytes: good.length },
  },
  WB0002: {
    means: "The text is empty, or holds nothing but comments and document marks.",
    why: "There is nothing to compile; most likely the wrong file was given, or nothing was written to standard input.",
    example: { file, bad: "# to be written\n", good },
  },
  WB0003: {
    means: "Lists and objects stand in each other more than 100 levels deep.",
    why: "No workflow needs that. Texts like this are made to exhaust the programs that read them.",
    example: { file, bad: instead("hello: world", `hello: ${"[".repeat(99)}${"]".repeat(99)}`), good },
  },
  WB0004: {
    means: "The text is meant to be JSON, and breaks its grammar at the place shown.",
    why: "What follows could only be guessed. JSON has no comments, no single quotes, and no comma after the last entry.",
    example: { file: "workflow.json", bad: goodJson.replace('"world" }', '"world", }'), good: goodJson },
  },
  WB0005: {
    means:
      "The text breaks the grammar of YAML at the place shown. Further errors may come to light when this one is mended.",
    why: "What follows could only be guessed. Most often a quote, a bracket, a colon or a space is missing, or a line is indented differently from its neighbours.",
    example: { file, bad: instead("name: Greet\nv", "name Greet\nv"), good },
  },
  WB0006: {
    means: "An object has the same key twice.",
    why: "Most programs keep the second value and drop the first without a word, so that one of two things that somebody wrote has no effect.",
    example: { file, bad: instead("version: '1.0'", "version: '1.0'\nname: Welcome"), good },
  },
  WB0007: {
    means:
      "An alias, such as `*limit`, repeats the value that the anchor `&limit` marks. No such anchor stands before it in the document.",
    why: "There is no value to repeat. A text that begins with `*` has to stand in quotes.",
    example: {
      file,
      bad: instead("hello: world", "hello: *world"),
      good: instead("hello: world", "first: &world earth, hello: *world"),
    },
  },
  WB0008: {
    means: "An alias stands inside of the value that it repeats.",
    why: "Written out, the document would never end.",
    example: { file, bad: instead("data: { hello: world }", "data: &data { hello: *data }"), good },
  },
  WB0009: {
    means:
      "Aliases repeat values that have aliases themselves, so often that the document becomes many times larger than its text.",
    why: "A few lines of this kind stand for billions of values, and would exhaust the memory of any program that reads them.",
    example: { file, bad: `${good}metadata:\n${bomb(6)}`, good: `${good}metadata:\n${bomb(2)}` },
  },
  WB0010: {
    means:
      "A tag, such as `!!binary` or `!Ref`, says how a value is to be read. Only those that stand for JSON's own types are known, and only on values that fit them.",
    why: "Left out, the tag would change the meaning of the value without a word.",
    example: {
      file,
      bad: instead("hello: world", "hello: !!binary d29ybGQ="),
      good: instead("hello: world", "hello: !!str 1"),
    },
  },
  WB0011: {
    means: "A key is a list, an object, an alias, or has a tag.",
    why: "The keys of JSON objects are plain strings, and workflow definitions are JSON data.",
    example: { file, bad: instead("data: { hello: world }", "data: { [hello]: world }"), good },
  },
  WB0012: {
    means: "A number is `.nan`, `.inf`, or so large that it cannot be told from infinity.",
    why: "JSON has no such numbers, and neither has the data of a workflow.",
    example: { file, bad: instead("hello: world", "hello: .inf"), good: instead("hello: world", "hello: '.inf'") },
  },
  WB0013: {
    means: "A whole number has so many digits that it is rounded when it is read.",
    why: "Such numbers are mostly identifiers, and a rounded identifier names something else. In quotes it stays as it is.",
    example: {
      file,
      bad: instead("hello: world", "hello: 12345678901234567890"),
      good: instead("hello: world", "hello: '12345678901234567890'"),
    },
  },
  WB0014: {
    means:
      "The merge key `<<` takes over the properties of another object, or of a list of objects. Here it is given something else.",
    why: "There are no properties to take over.",
    example: { file, bad: instead("hello: world", "<<: world"), good: instead("hello: world", "<<: { hello: world }") },
  },
  WB0015: {
    means:
      "A line that begins with `%` before the document is a directive to the YAML reader. This one is not known, or asks for another version of YAML.",
    why: "All texts are read as YAML 1.2. In YAML 1.1, some plain words have another meaning: `yes`, for instance, is the same as `true`.",
    example: { file, bad: `%YAML 1.1\n---\n${good}`, good: `%YAML 1.2\n---\n${good}` },
  },
};

/** Objects of which each repeats the one before it ten times. */
function bomb(levels: number): string {
  const lines = Array.from(
    { length: levels },
    (_, i) => `  m${i + 1}: &m${i + 1} [${Array.from({ length: 10 }, () => `*m${i}`).join(", ")}]\n`,
  );
  return `  m0: &m0 none\n${lines.join("")}`;
}
