import { describe, expect, it } from "vitest";
import { read } from "./reading.ts";

/** A broken text and the expected findings. */
type Case = readonly [text: string, ...findings: string[]];

const yamlSyntax: readonly Case[] = [
  [
    "name foo\ntype: bar\n",
    "WB0005 «name foo» Missing colon on this line. | Write `key: value`, with a space after the colon.",
  ],
  [
    "name: foo\ntype bar\nx: y\n",
    "WB0005 «type bar» Missing colon on this line. | Write `key: value`, with a space after the colon.",
  ],
  ["a: 1\nb\n", "WB0005 «b» Missing colon after this key. | Write `key: value`, with a space after the colon."],
  [
    "a:b\nc: d\n",
    "WB0005 «a:b» Missing space after the colon on this line. | Write `key: value`, with a space after the colon.",
  ],
  ["a: b: c\n", "WB0005 «b: c» This value contains a colon, which makes it a key. | Put the value in quotes."],
  [
    "a: b\n c: d\n",
    "WB0005 «b» The key below is indented as if it were part of this value. | Align it with the key above. | «c» To be a sibling of the key above, this must start in column 1.",
  ],
  [
    "a:\n  b: 1\n c: 2\n",
    "WB0005 «c» This key is not aligned with the other keys of its object. | Align it with them.",
  ],
  ["a:\n  - 1\n - 2\n", "WB0005 «-» Expected a key, found an array item. | Move it under the key of its array."],
  ["-   - 1\n  - 2\n", "WB0005 «-» This item is not aligned with the other items of its array. | Align it with them."],
  ["--- a: b\n", "WB0005 «a» An array or object cannot start on the line of `---`."],
  ["%YAML 1.2\na: b\n", "WB0005 «a» Missing `---` line after the directives."],
  ["a: 'b'#c\n", "WB0005 «#c» Missing space before this comment. | Insert a space."],
  ["'a' b: c\n", "WB0005 «b» Unexpected token."],
  ["a:\n\tb: c\n", "WB0005 «\t» This line is indented with a tab. | Indent with spaces."],
  ["a: - b\n", "WB0005 «-» An array of `- ` items cannot start on the line of its key. | Start it on the next line."],
  ["x: y\n- a\n", "WB0005 «-» Expected a key, found an array item. | Move it under the key of its array."],
  [
    "branches:\n  completionType: and\n  - a\n",
    "WB0005 «-» Expected a key, found an array item. | Move it under the key of its array.",
  ],
  ["a: 'x\nb: c\n", "WB0005 «'» This string has no closing `'`. | Add `'` at its end."],
  ['a: "x\nb: c\n', 'WB0005 «"» This string has no closing `"`. | Add `"` at its end.'],
  [
    "a: 'it's'\n",
    "WB0005 «s'» Unexpected text after the end of a value. | Inside single quotes, write a quote twice: `''`.",
  ],
  ['a: "x" y\n', "WB0005 «y» Unexpected text after the end of a value."],
  [
    "a: [1, 2\nb: c\n",
    "WB0005 «[» This `[` has no closing `]`. | Add `]` at its end. | «b» It must be closed before this.",
  ],
  ["a: {b: c\n", "WB0005 «{» This `{` has no closing `}`. | Add `}` at its end."],
  ["a: [1, 2]]\n", "WB0005 «]» Unmatched `]`."],
  ["}\n", "WB0005 «}» Unmatched `}`."],
  ["a: [1,, 2]\n", "WB0005 «,» Missing value before this comma."],
  [
    "a: {b: c d: e}\n",
    "WB0005 «c d: e» Missing comma between these entries in brackets. | Insert a comma between them.",
  ],
  ["a: @x\n", "WB0005 «@» A value that begins with `@` must be quoted. | Put the value in quotes."],
  ["a: %x\n", "WB0005 «%» A value that begins with `%` must be quoted. | Put the value in quotes."],
  [
    'a: "\\q"\n',
    "WB0005 «\\q» `\\q` is not a YAML escape sequence. | Write a backslash as `\\\\`, or use single quotes.",
  ],
  [
    "a: |x\n  b\n",
    "WB0005 «x» Only a comment can follow `|` or `>` on the same line. | Start the text on the next line, indented.",
  ],
  ["a: &b &c d\n", "WB0005 «&c» A value cannot have two anchors."],
  ["a: &b 1\nc: &d *b\n", "WB0005 «*b» An alias cannot have an anchor or a tag."],
  [`${"k".repeat(1100)}: 1\n`, `WB0005 «${"k".repeat(1100)}» This key is longer than 1024 characters.`],
];

const yamlData: readonly Case[] = [
  ["a: 1\nb: 2\na: 3\n", "WB0006 «a» Duplicate key `a`. | Remove or rename one of the two. | «a» First defined here."],
  ['{"a": 1, a: 2}\n', 'WB0006 «a» Duplicate key `a`. | Remove or rename one of the two. | «"a"» First defined here.'],
  [
    "a: *x\n",
    "WB0007 «*x» Unknown anchor `&x`. | Define `&x` before this alias, or put the value in quotes if it is a string.",
  ],
  [
    "a: *x\nb: &x 1\n",
    "WB0007 «*x» Unknown anchor `&x`. | Define `&x` before this alias, or put the value in quotes if it is a string.",
  ],
  [
    "a: &a [1, *a]\n",
    "WB0008 «*a» The alias `*a` refers to a value that contains it. | Write the value instead of the alias.",
  ],
  [
    "a: &a\n  <<: *a\n",
    "WB0008 «*a» The alias `*a` refers to a value that contains it. | Write the value instead of the alias.",
  ],
  [
    "a: !foo x\n",
    "WB0010 «!foo» The tag `!foo` is not valid for this value. | Remove the tag: workflow definitions are plain JSON data.",
  ],
  [
    "a: !!binary aGk=\n",
    "WB0010 «!!binary» The tag `!!binary` is not valid for this value. | Remove the tag: workflow definitions are plain JSON data.",
  ],
  [
    "a: !!int x\n",
    "WB0010 «!!int» The tag `!!int` is not valid for this value. | Remove the tag: workflow definitions are plain JSON data.",
  ],
  [
    "a: !!set {x}\n",
    "WB0010 «!!set» The tag `!!set` is not valid for this value. | Remove the tag: workflow definitions are plain JSON data.",
  ],
  [
    "? [a]\n: b\n? {c: d}\n: e\n",
    "WB0011 «[» This key is not a string. | Put the key in quotes.",
    "WB0011 «{» This key is not a string. | Put the key in quotes.",
  ],
  ["a: &x 1\n*x : 2\n", "WB0011 «*x» This key is not a string. | Put the key in quotes."],
  [
    "a: [.nan, -.inf]\n",
    "WB0012 «.nan» `.nan` is not a valid JSON number. | Put it in quotes if it is a string.",
    "WB0012 «-.inf» `-.inf` is not a valid JSON number. | Put it in quotes if it is a string.",
  ],
  [
    "a: {<<: 3}\n",
    "WB0014 «3» `<<` merges only an object or an array of objects. | Write the keys directly, or use an alias of an object.",
  ],
  [
    "a: {<<: [{b: 1}, 2]}\n",
    "WB0014 «2» `<<` merges only an object or an array of objects. | Write the keys directly, or use an alias of an object.",
  ],
  [
    "<<:\n",
    "WB0014 «<<» `<<` merges only an object or an array of objects. | Write the keys directly, or use an alias of an object.",
  ],
];

const jsonSyntax: readonly Case[] = [
  ['{"a": 1 "b": 2}', 'WB0004 «"» Missing comma before this. | Insert a comma after the previous entry.'],
  ['{"a": 1,}', "WB0004 «,» Trailing comma before `}`. | Remove the comma."],
  ["[1,]", "WB0004 «,» Trailing comma before `]`. | Remove the comma."],
  ["{a: 1}", 'WB0004 «a» JSON keys must be in double quotes. | Write `"a"`.'],
  ["{'a': 1}", 'WB0004 «\'» JSON keys must be in double quotes. | Write `"a"`.'],
  ["{: 1}", "WB0004 «:» Expected a key in double quotes."],
  [
    '{ // x\n"a": 1}',
    "WB0004 «/» JSON does not allow comments. | Remove the comment, or write the definition in YAML.",
  ],
  ["['a']", 'WB0004 «\'» JSON strings must be in double quotes. | Write `"a"`.'],
  ['{"a" 1}', "WB0004 «1» Missing colon after the key `a`. | Insert a colon."],
  ['{"a":}', "WB0004 «}» Missing value."],
  ["[tru]", "WB0004 «tru» `tru` is not a JSON value. | Put strings in double quotes."],
  ["[True]", "WB0004 «True» `True` is not a JSON value. | Write `true`."],
  ["[None]", "WB0004 «None» `None` is not a JSON value. | Write `null`."],
  ["[01]", "WB0004 «01» `01` is not a JSON number."],
  ["[+1, .5]", "WB0004 «+1» `+1` is not a JSON number.", "WB0004 «.5» `.5` is not a JSON number."],
  ["[1e]", "WB0004 «1e» `1e` is not a JSON number."],
  ["[1.]", "WB0004 «1.» `1.` is not a JSON number."],
  [
    '["x\ny"]',
    'WB0004 «"x» This string has no closing quote on its line. | Add `"` at its end; write a line break as `\\n`.',
  ],
  ['["x', 'WB0004 «"» This string has no closing quote.'],
  ['["\t"]', "WB0004 «\t» This string contains a control character. | Write a tab as `\\t`."],
  ['["\\x"]', "WB0004 «\\x» `\\x` is not a JSON escape sequence. | Write a backslash as `\\\\`."],
  ['["\\u12"]', "WB0004 «\\u» `\\u` is not a JSON escape sequence. | Write a backslash as `\\\\`."],
  [
    "[1, 2\n",
    "WB0004 «» The file ends before the array is closed with `]`. | Add `]` at its end. | «[» It starts here.",
  ],
  [
    '{"a": [1}',
    "WB0004 «}» The array is closed with `}` instead of `]`. | Write `]` here or earlier. | «[» It starts here.",
  ],
  ['{"a":', "WB0004 «» The file ends where a value is expected."],
  ["[1] // x", "WB0004 «/» JSON does not allow comments. | Remove the comment, or write the definition in YAML."],
  ["[1] x", "WB0004 «x» Unexpected text after the end of the JSON value."],
  [
    '{"a": [1, "b": 2}',
    'WB0004 «"b"» The array is not closed with `]` before this key. | Add `]` after its last item. | «[» It starts here.',
  ],
  ["// x\n[1]", "WB0004 «/» JSON does not allow comments. | Remove the comment, or write the definition in YAML."],
  ["[1 // x\n]", "WB0004 «/» JSON does not allow comments. | Remove the comment, or write the definition in YAML."],
  ["a: 1\n", "WB0004 «a» `a` is not a JSON value. | Put strings in double quotes."],
  ['{"a": 1}\n{"b": 2}\n', "WB0004 «{» Unexpected text after the end of the JSON value."],
];

const jsonData: readonly Case[] = [
  [
    '{"a": 1, "b": 2, "a": 3}',
    'WB0006 «"a"» Duplicate key `a`. | Remove or rename one of the two. | «"a"» First defined here.',
  ],
  [
    '{"a": 1, "\\u0061": 3}',
    'WB0006 «"\\u0061"» Duplicate key `a`. | Remove or rename one of the two. | «"a"» First defined here.',
  ],
  ["[1e999]", "WB0012 «1e999» `1e999` is not a valid JSON number. | Put it in quotes if it is a string."],
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
      "WB0013 «12345678901234567890» The number `12345678901234567890` cannot be represented exactly and is read as 12345678901234567000. | Put it in quotes if it is an identifier.",
    ],
    [
      "n: [9007199254740992, -9007199254740993]\n",
      "WB0013 «-9007199254740993» The number `-9007199254740993` cannot be represented exactly and is read as -9007199254740992. | Put it in quotes if it is an identifier.",
    ],
    [
      "%YAML 1.1\n---\na: yes\n",
      "WB0015 «%YAML 1.1» The directive `%YAML 1.1` has no effect; the file is read as YAML 1.2. | Remove the directive.",
    ],
    [
      "# x\n%YAML 1.3 # y\n---\na: 1\n",
      "WB0015 «%YAML 1.3» The directive `%YAML 1.3` has no effect; the file is read as YAML 1.2. | Remove the directive.",
    ],
    [
      "%FOO bar\n---\na: 1\n",
      "WB0015 «%FOO bar» The directive `%FOO bar` has no effect; the file is read as YAML 1.2. | Remove the directive.",
    ],
  ])("%j", (text, ...findings) => {
    const found = read(text);
    expect(found).toMatchObject({ findings });
    expect(found.documents).toHaveLength(1);
  });
});

describe("which errors are reported", () => {
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
    expect(read(`a: *${"x".repeat(1000)}\n`).diagnostics[0]!.message).toBe(`Unknown anchor \`&${"x".repeat(60)}…\`.`);
  });
});

describe("a text that starts like JSON", () => {
  it("is read as JSON, and as YAML where it is none", () => {
    expect(read('{"a": 1}', "w.yaml").documents[0]!.value).toEqual({ a: 1 });
    expect(read("{a: 1, b: [x]}", "w.yaml").documents[0]!.value).toEqual({ a: 1, b: ["x"] });
    expect(read("{a: 1}", "<stdin>").documents[0]!.value).toEqual({ a: 1 });
    expect(read("[a]: b", "w.yaml").findings).toEqual([
      "WB0011 «[» This key is not a string. | Put the key in quotes.",
    ]);
  });

  it("has JSON's errors in standard input and YAML's in YAML files", () => {
    expect(read('{"a": ["x" "y"]}', "<stdin>").findings).toEqual([
      'WB0004 «"» Missing comma before this. | Insert a comma after the previous entry.',
    ]);
    expect(read('{"a": [1, 2}', "w.yml").findings).toEqual([
      "WB0005 «[» This `[` has no closing `]`. | Add `]` at its end. | «}» It must be closed before this.",
    ]);
  });
});
