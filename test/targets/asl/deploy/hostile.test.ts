import { expect, test } from "vitest";
import { compileWith } from "../../../../src/compile.ts";
import { readConfiguration } from "../../../../src/configuration/index.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import type { OutputFile } from "../../../../src/target/contract.ts";
import { asl } from "../../../../targets/asl/index.ts";
import { targets } from "../../../../targets/index.ts";
import { languages } from "../../../languages.ts";
import { functionsIn, readTemplate, textOf } from "./stack.ts";

/** Names with a special meaning in CloudFormation, YAML, JSONata, a shell or Markdown. */
const hostile: readonly string[] = [
  `$${"{AWS::AccountId}"}`,
  `$${"{ScalesArn}"}`,
  "{{resolve:secretsmanager:key:SecretString:password}}",
  "!Ref Order",
  "!Sub x",
  "yes",
  "012",
  "2026-01-01",
  "a: b # c",
  "- x\n- y",
  "%} & $eval('1') & {%",
  "'; rm -rf / #",
  '"}],"Effect":"Allow"',
  "`whoami` | [x](y) <b>",
  "\u2028\u0000\ue000{X}",
  "__proto__",
  "Fn::Sub",
  "",
];

const configuration = `targets: { asl: { template: sam } }
functions: { bound: { asl: { lambda: "$${"{ScalesArn}"}" } } }
`;

/** A workflow with the same hostile string in all places. */
function definitionOf(name: string, index: number): string {
  const event = { name: "Told", type: name || "told", source: name || "here" };
  return JSON.stringify({
    id: name || `w${index}`,
    name: name || "w",
    version: "1",
    functions: [
      { name: name || "f", resource: "f" },
      { name: "bound", resource: "bound" },
    ],
    events: [event, { name: "Heard", type: name || "heard", source: name || "there" }],
    states: [
      {
        name: "A",
        type: "operation",
        start: { kind: "default" },
        actions: [
          { functionRef: { refName: name || "f", parameters: { text: name } } },
          { functionRef: { refName: "bound", parameters: { text: name, [name]: [name] } } },
        ],
        transition: { nextState: "B", produceEvent: { eventRef: "Told" } },
      },
      { name: "B", type: "event", eventsActions: [{ eventRefs: ["Heard"], actions: [] }], end: { kind: "default" } },
    ],
  });
}

async function compiled(name: string, index: number): Promise<readonly OutputFile[]> {
  const read = readConfiguration({ path: "waybill.config.yaml", text: configuration }, languages, targets, () => {});
  const sources = [{ path: "w.json", text: definitionOf(name, index) }];
  const { files } = await compileWith({ sources, options: {}, configurationOf: () => read }, languages, asl);
  return files;
}

test.each(hostile.map((name, i) => [JSON.stringify(name), name, i] as const))(
  "%s means nothing in a template",
  async (_, name, i) => {
    const files = await compiled(name, i);
    const text = textOf(files, "template.yaml")!;
    const template = readTemplate(text);
    expect(readTemplate(text, "1.2")).toEqual(template);
    const tags = new Set([...text.matchAll(/(?<=[\s[])!\w+/g)].map(([tag]) => tag));
    for (const tag of tags) expect(["!Ref", "!GetAtt", "!Sub", "!Select", "!Split"]).toContain(tag);
    for (const [, given] of functionsIn(template as unknown as Json))
      expect(JSON.stringify(given)).toMatch(/^[\w ":$[\]{},./*!-]+$/);
    expect(JSON.stringify([template.Resources, template.Outputs])).not.toContain("{{resolve");
    expect(Object.keys(template.Resources).every((id) => /^[A-Za-z0-9]+$/.test(id))).toBe(true);
  },
);

test.each(hostile.map((name, i) => [JSON.stringify(name), name, i] as const))(
  "%s means nothing in a machine or a README",
  async (_, name, i) => {
    const files = await compiled(name, i);
    const template = readTemplate(textOf(files, "template.yaml")!);
    const [machine] = Object.values(template.Resources).filter(({ Type }) => Type.endsWith("StateMachine"));
    const text = textOf(files, String(machine!.Properties["DefinitionUri"]))!;
    const substitutions = Object.keys(machine!.Properties["DefinitionSubstitutions"] as JsonObject);
    const found = [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, each]) => each!);
    expect(found.sort()).toEqual(substitutions.sort());
    const readme = textOf(files, "README.md")!;
    const commands = [...readme.matchAll(/^\$ .*--entries '(.*)'$/gm)].map(([, entries]) => entries!);
    for (const entries of commands) expect([entries.includes("'"), JSON.parse(entries)]).toMatchObject([false, [{}]]);
    expect(readme.replace(/```.*?```/gs, "")).not.toMatch(/<b>|\[x\]\(y\)/);
  },
);
