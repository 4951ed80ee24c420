import { describe, expect, it } from "vitest";
import { read } from "./reading.ts";

/** A broken text and all that is found in it. */
type Case = readonly [text: string, ...findings: string[]];

const yamlSyntax: readonly Case[] = [
  [
    "name foo\ntype: bar\n",
    "WB0005 «name foo» A colon is missing on this line. | Write the key, a colon, a space and the value.",
  ],
  [
    "name: foo\ntype bar\nx: y\n",
    "WB0005 «type bar» A colon is missing on this line. | Write the key, a colon, a space and the value.",
  ],
  ["a: 1\nb\n", "WB0005 «b» A colon is missing after this key. | Write the key, a colon, a space and the value."],
  [
    "a:b\nc: d\n",
    "WB0005 «a:b» A space is missing after the colon on this line. | Write the key, a colon, a space and the value.",
  ],
  ["a: b: c\n", "WB0005 «b: c» This value has a colon in it, which makes it a key. | Put the value in quotes."],
  [
    "a: b\n c: d\n",
    "WB0005 «b» The key below this value is indented as if it belonged to it. | Begin both keys in the same column. | «c» To stand beside the key above, this has to begin in column 1.",
  ],
  [
    "a:\n  b: 1\n c: 2\n",
    "WB0005 «c» This line is indented differently from the other keys of its object. | Begin it in their column.",
  ],
  ["a:\n  - 1\n - 2\n", "WB0005 «-» A list item stands where a key is expected. | Write it under the key of its list."],
  [
    "-   - 1\n  - 2\n",
    "WB0005 «-» This item is indented differently from the others of its list. | Begin it in their column.",
  ],
  ["--- a: b\n", "WB0005 «a» A list or object cannot begin on the line of `---`."],
  ["%YAML 1.2\na: b\n", "WB0005 «a» A line `---` is missing after the directives."],
  ["a: 'b'#c\n", "WB0005 «#c» A space is missing before this comment. | Write a space before it."],
  ["'a' b: c\n", "WB0005 «b» This does not belong here."],
  ["a:\n\tb: c\n", "WB0005 «\t» This line is indented with a tab. | YAML takes only spaces for indentation."],
  ["a: - b\n", "WB0005 «-» A list cannot begin on the line of its key. | Begin it on the next line."],
  ["x: y\n- a\n", "WB0005 «-» A list item stands where a key is expected. | Write it under the key of its list."],
  [
    "branches:\n  completionType: and\n  - a\n",
    "WB0005 «-» A list item stands where a key is expected. | Write it under the key of its list.",
  ],
  ["a: 'x\nb: c\n", "WB0005 «'» This string has no closing `'`. | Write `'` where it ends."],
  ['a: "x\nb: c\n', 'WB0005 «"» This string has no closing `"`. | Write `"` where it ends.'],
  [
    "a: 'it's'\n",
    "WB0005 «s'» This stands after the end of a value. | In single quotes, a quote is written twice: `''`.",
  ],
  ['a: "x" y\n', "WB0005 «y» This stands after the end of a value."],
  [
    "a: [1, 2\nb: c\n",
    "WB0005 «[» This `[` has no closing `]`. | Write `]` where it ends. | «b» It has to be closed before this.",
  ],
  ["a: {b: c\n", "WB0005 «{» This `{` has no closing `}`. | Write `}` where it ends."],
  ["a: [1, 2]]\n", "WB0005 «]» This `]` closes nothing."],
  ["}\n", "WB0005 «}» This `}` closes nothing."],
  ["a: [1,, 2]\n", "WB0005 «,» A value is missing before this comma."],
  [
    "a: {b: c d: e}\n",
    "WB0005 «c d: e» A comma is missing between these parts of a list or object in brackets. | Write a comma between them.",
  ],
  ["a: @x\n", "WB0005 «@» A value that begins with `@` has to stand in quotes. | Put the value in quotes."],
  ["a: %x\n", "WB0005 «%» A value that begins with `%` has to stand in quotes. | Put the value in quotes."],
  [
    'a: "\\q"\n',
    "WB0005 «\\q» `\\q` is no escape in YAML. | Write a backslash as `\\\\`, or put the text in single quotes.",
  ],
  [
    "a: |x\n  b\n",
    "WB0005 «x» Nothing but a comment can follow `|` or `>` on its line. | Begin the text on the next line, indented.",
  ],
  ["a: &b &c d\n", "WB0005 «&c» A value cannot have two anchors."],
  ["a: &b 1\nc: &d *b\n", "WB0005 «*b» An alias cannot have an anchor or a tag of its own."],
  [`${"k".repeat(1100)}: 1\n`, `WB0005 «${"k".repeat(1100)}» This key is longer than 1024 characters.`],
];

const yamlData: readonly Case[] = [
  [
    "a: 1\nb: 2\na: 3\n",
    "WB0006 «a» The key `a` stands twice in this object. | Keep one of the two. | «a» It stands here first.",
  ],
  [
    '{"a": 1, a: 2}\n',
    'WB0006 «a» The key `a` stands twice in this object. | Keep one of the two. | «"a"» It stands here first.',
  ],
  [
    "a: *x\n",
    "WB0007 «*x» No anchor `&x` stands before this alias. | Write `&x` before the value that is meant, or the value itself here.",
  ],
  [
    "a: *x\nb: &x 1\n",
    "WB0007 «*x» No anchor `&x` stands before this alias. | Write `&x` before the value that is meant, or the value itself here.",
  ],
  ["a: &a [1, *a]\n", "WB0008 «*a» The alias `*a` is part of the value that it repeats, which would never end."],
  ["a: &a\n  <<: *a\n", "WB0008 «*a» The alias `*a` is part of the value that it repeats, which would never end."],
  [
    "a: !foo x\n",
    "WB0010 «!foo» The tag `!foo` has no meaning for this value. | Workflow definitions are plain JSON data: leave the tag out.",
  ],
  [
    "a: !!binary aGk=\n",
    "WB0010 «!!binary» The tag `!!binary` has no meaning for this value. | Workflow definitions are plain JSON data: leave the tag out.",
  ],
  [
    "a: !!int x\n",
    "WB0010 «!!int» The tag `!!int` has no meaning for this value. | Workflow definitions are plain JSON data: leave the tag out.",
  ],
  [
    "a: !!set {x}\n",
    "WB0010 «!!set» The tag `!!set` has no meaning for this value. | Workflow definitions are plain JSON data: leave the tag out.",
  ],
  [
    "? [a]\n: b\n? {c: d}\n: e\n",
    "WB0011 «[» This key is no plain text. | Write it in quotes, or as a plain word.",
    "WB0011 «{» This key is no plain text. | Write it in quotes, or as a plain word.",
  ],
  ["a: &x 1\n*x : 2\n", "WB0011 «*x» This key is no plain text. | Write it in quotes, or as a plain word."],
  [
    "a: [.nan, -.inf]\n",
    "WB0012 «.nan» `.nan` is not a number that JSON can hold. | Put it in quotes if it is meant as text.",
    "WB0012 «-.inf» `-.inf` is not a number that JSON can hold. | Put it in quotes if it is meant as text.",
  ],
  [
    "a: {<<: 3}\n",
    "WB0014 «3» Only an object, or a list of objects, can be merged with `<<`. | Write the keys themselves, or an alias of an object that has them.",
  ],
  [
    "a: {<<: [{b: 1}, 2]}\n",
    "WB0014 «2» Only an object, or a list of objects, can be merged with `<<`. | Write the keys themselves, or an alias of an object that has them.",
  ],
  [
    "<<:\n",
    "WB0014 «<<» Only an object, or a list of objects, can be merged with `<<`. | Write the keys themselves, or an alias of an object that has them.",
  ],
];

const jsonSyntax: readonly Case[] = [
  ['{"a": 1 "b": 2}', 'WB0004 «"» A comma is missing before this. | Write a comma after what stands before it.'],
  ['{"a": 1,}', "WB0004 «,» This comma is followed by nothing but `}`. | Leave the comma out."],
  ["[1,]", "WB0004 «,» This comma is followed by nothing but `]`. | Leave the comma out."],
  ["{a: 1}", 'WB0004 «a» Keys stand in double quotes in JSON. | Write `"a"`.'],
  ["{'a': 1}", 'WB0004 «\'» Keys stand in double quotes in JSON. | Write `"a"`.'],
  ["{: 1}", "WB0004 «:» A key in double quotes is expected here."],
  [
    '{ // x\n"a": 1}',
    "WB0004 «/» There are no comments in JSON. | Leave comments out, or write the definition in YAML, where they begin with `# `.",
  ],
  ["['a']", 'WB0004 «\'» Strings stand in double quotes in JSON. | Write `"a"`.'],
  ['{"a" 1}', "WB0004 «1» A colon is missing after the key `a`. | Write a colon before this."],
  ['{"a":}', "WB0004 «}» A value is missing here."],
  ["[tru]", "WB0004 «tru» `tru` is no value in JSON. | Strings stand in double quotes."],
  ["[True]", "WB0004 «True» `True` is no value in JSON. | Write `true`."],
  ["[None]", "WB0004 «None» `None` is no value in JSON. | Write `null`."],
  ["[01]", "WB0004 «01» `01` is no number in JSON."],
  ["[+1, .5]", "WB0004 «+1» `+1` is no number in JSON.", "WB0004 «.5» `.5` is no number in JSON."],
  ["[1e]", "WB0004 «1e» `1e` is no number in JSON."],
  ["[1.]", "WB0004 «1.» `1.` is no number in JSON."],
  [
    '["x\ny"]',
    'WB0004 «"x» This string has no closing quote on its line. | Write `"` where it ends; a line break in a text is `\\n`.',
  ],
  ['["x', 'WB0004 «"» This string has no closing quote.'],
  ['["\t"]', "WB0004 «\t» There is a control character in this string. | Write a tab as `\\t`."],
  ['["\\x"]', "WB0004 «\\x» `\\x` is no escape in JSON. | Write a backslash as `\\\\`."],
  ['["\\u12"]', "WB0004 «\\u» `\\u` is no escape in JSON. | Write a backslash as `\\\\`."],
  [
    "[1, 2\n",
    "WB0004 «» The text ends before the list is closed with `]`. | Write `]` where it ends. | «[» It begins here.",
  ],
  [
    '{"a": [1}',
    "WB0004 «}» The list is closed with `}` instead of `]`. | Write `]` here, or before it. | «[» It begins here.",
  ],
  ['{"a":', "WB0004 «» The text ends where a value is expected."],
  [
    "[1] // x",
    "WB0004 «/» There are no comments in JSON. | Leave comments out, or write the definition in YAML, where they begin with `# `.",
  ],
  ["[1] x", "WB0004 «x» There is more text after the end of the JSON value."],
  [
    '{"a": [1, "b": 2}',
    'WB0004 «"b"» The list is not closed with `]` before this key. | Write `]` after its last item. | «[» It begins here.',
  ],
  [
    "// x\n[1]",
    "WB0004 «/» There are no comments in JSON. | Leave comments out, or write the definition in YAML, where they begin with `# `.",
  ],
  [
    "[1 // x\n]",
    "WB0004 «/» There are no comments in JSON. | Leave comments out, or write the definition in YAML, where they begin with `# `.",
  ],
  ["a: 1\n", "WB0004 «a» `a` is no value in JSON. | Strings stand in double quotes."],
  ['{"a": 1}\n{"b": 2}\n', "WB0004 «{» There is more text after the end of the JSON value."],
];

const jsonData: readonly Case[] = [
  [
    '{"a": 1, "b": 2, "a": 3}',
    'WB0006 «"a"» The key `a` stands twice in this object. | Keep one of the two. | «"a"» It stands here first.',
  ],
  [
    '{"a": 1, "\\u0061": 3}',
    'WB0006 «"\\u0061"» The key `a` stands twice in this object. | Keep one of the two. | «"a"» It stands here first.',
  ],
  ["[1e999]", "WB0012 «1e999» `1e999` is not a number that JSON can hold. | Put it in quotes if it is meant as text."],
];

describe.each([
  ["broken YAML", "workflow.yaml", yamlSyntax],
  ["YAML that is not JSON data", "workflow.yaml", yamlData],
  ["broken JSON", "workflow.json", jsonSyntax],
  ["JSON with faults", "workflow.json", jsonData],
])("%s", (_, path, cases) => {
  it.each(cases)("%j", (text, ...findings) => {
    expect(read(text, path)).toMatchObject({ documents: [], findings });
  });
});

describe("warnings", () => {
  it.each([
    [
      "n: 12345678901234567890\n",
      "WB0013 «12345678901234567890» The number `12345678901234567890` cannot be held exactly; it is read as 12345678901234567000. | Put it in quotes if it is an identifier.",
    ],
    [
      "n: [9007199254740992, -9007199254740993]\n",
      "WB0013 «-9007199254740993» The number `-9007199254740993` cannot be held exactly; it is read as -9007199254740992. | Put it in quotes if it is an identifier.",
    ],
    [
      "%YAML 1.1\n---\na: yes\n",
      "WB0015 «%YAML 1.1» The directive `%YAML 1.1` has no effect; the text is read as YAML 1.2.",
    ],
    [
      "# x\n%YAML 1.3 # y\n---\na: 1\n",
      "WB0015 «%YAML 1.3» The directive `%YAML 1.3` has no effect; the text is read as YAML 1.2.",
    ],
    [
      "%FOO bar\n---\na: 1\n",
      "WB0015 «%FOO bar» The directive `%FOO bar` has no effect; the text is read as YAML 1.2.",
    ],
  ])("%j", (text, ...findings) => {
    const found = read(text);
    expect(found).toMatchObject({ findings });
    expect(found.documents).toHaveLength(1);
  });
});

describe("which faults are reported", () => {
  it("are all that are independent, those after a fault of structure too", () => {
    const { findings } = read('a: "\\q"\nb: !x 1\nc: [1\nd: "\\w"\n');
    expect(findings.map((finding) => finding.slice(0, 12)).sort()).toEqual([
      "WB0005 «[» T",
      "WB0005 «\\q» ",
      "WB0005 «\\w» ",
      "WB0010 «!x» ",
    ]);
  });

  it("are at most a hundred", () => {
    expect(read("a: 1\n".repeat(1000)).findings).toHaveLength(100);
    expect(read("- *a\n".repeat(1000)).findings).toHaveLength(100);
    expect(read(`{${'"a": 1,'.repeat(1000)}"b": 1}`, "w.json").findings).toHaveLength(100);
  });

  it("are never only the warnings of a text that has errors", () => {
    const numbers = Array.from({ length: 200 }, (_, i) => `"n${i}": 1234567890123456789`).join(", ");
    for (const path of ["w.json", "w.yaml"]) {
      const { documents, diagnostics } = read(`{${numbers}, "a": 1, "a": 2}`, path);
      expect(documents).toEqual([]);
      expect(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual(["WB0006"]);
      expect(diagnostics).toHaveLength(201);
    }
  });

  it("do not repeat long texts", () => {
    expect(read(`a: *${"x".repeat(1000)}\n`).diagnostics[0]!.message).toBe(
      `No anchor \`&${"x".repeat(60)}…\` stands before this alias.`,
    );
  });
});

describe("a text that begins like JSON", () => {
  it("is read as JSON, and as YAML where it is none", () => {
    expect(read('{"a": 1}', "w.yaml").documents[0]!.value).toEqual({ a: 1 });
    expect(read("{a: 1, b: [x]}", "w.yaml").documents[0]!.value).toEqual({ a: 1, b: ["x"] });
    expect(read("{a: 1}", "<stdin>").documents[0]!.value).toEqual({ a: 1 });
    expect(read("[a]: b", "w.yaml").findings).toEqual([
      "WB0011 «[» This key is no plain text. | Write it in quotes, or as a plain word.",
    ]);
  });

  it("has JSON's errors in standard input and YAML's in YAML files", () => {
    expect(read('{"a": ["x" "y"]}', "<stdin>").findings).toEqual([
      'WB0004 «"» A comma is missing before this. | Write a comma after what stands before it.',
    ]);
    expect(read('{"a": [1, 2}', "w.yml").findings).toEqual([
      "WB0005 «[» This `[` has no closing `]`. | Write `]` where it ends. | «}» It has to be closed before this.",
    ]);
  });
});
