import { describe, expect, test } from "vitest";
import { compileForEach } from "../../src/compile.ts";
import { joinedWorkflows } from "../../src/ir/groups.ts";
import { type CompileMemo, createCompileMemo } from "../../src/pipeline/memo.ts";
import type { Source } from "../../src/text/source.ts";
import type { ResourceReader } from "../../src/text/uris.ts";
import { asl } from "../../targets/asl/index.ts";
import { typescript } from "../../targets/typescript/index.ts";
import { languages } from "../languages.ts";

const source = (name: string, task: string): Source => ({
  path: `${name}.yaml`,
  text: `document: { dsl: 1.0.3, namespace: shop, name: ${name}, version: 1.0.0 }\ndo:\n- only: ${task}\n`,
});

const run = (name: string): string => `{ run: { workflow: { namespace: shop, name: ${name}, version: 1.0.0 } } }`;
const set = (value: number): string => `{ set: { x: ${value} } }`;
const emit = (type: string): string => `{ emit: { event: { with: { source: /shop, type: ${type} } } } }`;
const listen = (filter: string): string => `{ listen: { to: { one: { with: ${filter} } } } }`;

/** A parent with its subflow, and a workflow that neither concerns. */
const sources = {
  parent: source("parent", run("child")),
  child: source("child", set(1)),
  other: source("other", set(2)),
};

/** The passes that run once for each group of workflows, or for each of its members. */
const passesOfGroups = new Set(["translate-scripts", "separate-errors"]);

/** Compiles for two targets; returns the files, the diagnostics, and the workflows that were generated. */
async function compile(
  given: readonly Source[],
  memo?: CompileMemo,
  { read, pick }: { readonly read?: ResourceReader; readonly pick?: readonly string[] } = {},
) {
  const generated = new Set<string>();
  const compilations = await compileForEach(
    {
      sources: given,
      options: {},
      memo,
      read,
      pick,
      afterPass({ pass, workflows }) {
        if (passesOfGroups.has(pass)) for (const { id } of workflows) generated.add(id);
      },
    },
    languages,
    [
      { target: asl, folder: "asl" },
      { target: typescript, folder: "typescript" },
    ],
  );
  const files = compilations.flatMap((each) => each.files);
  return { files, diagnostics: compilations[0]!.diagnostics, generated: [...generated].sort() };
}

/** Compiles versions one after another; expects of each what a compilation on its own gives. Returns what was generated. */
async function generatedBy(...versions: readonly (readonly Source[])[]): Promise<readonly (readonly string[])[]> {
  const memo = createCompileMemo();
  const all: (readonly string[])[] = [];
  for (const version of versions) {
    const { generated, ...result } = await compile(version, memo);
    const { generated: _, ...alone } = await compile(version);
    expect(result).toEqual(alone);
    all.push(generated);
  }
  return all;
}

const { parent, child, other } = sources;
const both = ["shop.child", "shop.parent"];
const all = [...both.slice(0, 1), "shop.other", ...both.slice(1)];

describe("only what changed is generated:", () => {
  test("nothing", async () => {
    expect(await generatedBy([parent, child, other], [parent, child, other])).toEqual([all, []]);
  });

  test("a group, and not the others", async () => {
    const changed = source("child", set(3));
    expect(await generatedBy([parent, child, other], [parent, changed, other])).toEqual([all, both]);
    const alone = source("other", set(3));
    expect(await generatedBy([parent, child, other], [parent, child, alone])).toEqual([all, ["shop.other"]]);
  });

  test("a group that loses a workflow, and one that gains it", async () => {
    const moved = source("parent", run("other"));
    expect(await generatedBy([parent, child, other], [moved, child, other])).toEqual([all, all]);
    expect(await generatedBy([parent, child, other], [child, other])).toEqual([all, ["shop.child"]]);
  });

  test("after an error, which groups without it survive", async () => {
    const broken = source("parent", run("chil"));
    const found = await generatedBy([parent, child, other], [broken, child, other], [parent, child, other]);
    expect(found[2]).toEqual(both);
  });

  test("nothing is the same as one of two workflows with an id", async () => {
    const copy = { ...other, path: "copy.yaml", text: other.text.replace("x: 2", "x: 3") };
    expect((await generatedBy([other], [other, copy], [copy]))[2]).toEqual(["shop.other"]);
  });
});

test("everything is checked again if a file that definitions read has changed", async () => {
  const document = { dsl: "1.0.3", namespace: "shop", name: "greet", version: "1.0.0" };
  const schema = { format: "json", resource: { endpoint: "name.json" } };
  const text = JSON.stringify({ document, input: { schema }, do: [{ only: { set: { x: "\u0024{ .name + 1 }" } } }] });
  const greet = { path: "greet.yaml", text };
  const typed = (type: string): ResourceReader => {
    const file = { path: "name.json", text: JSON.stringify({ properties: { name: { type } }, required: ["name"] }) };
    return (path) => (path === file.path ? file : undefined);
  };
  const memo = createCompileMemo();
  for (const type of ["number", "number", "string"]) {
    const { generated, ...result } = await compile([greet], memo, { read: typed(type) });
    const { generated: _, ...alone } = await compile([greet], undefined, { read: typed(type) });
    expect(result).toEqual(alone);
  }
});

test("names to pick that no definition has are reported again", async () => {
  const memo = createCompileMemo();
  const pick = ["absent"];
  for (const each of [other, other, source("other", set(3))]) {
    const { files, diagnostics } = await compile([child, each], memo, { pick });
    expect(files).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["WB0104"]);
  }
});

test("names to pick are found in a definition that has not changed", async () => {
  // The escape hides the type from `embeds`, so the memo keeps the file.
  const machine = '{ "StartAt": "Take", "States": { "Take": { "Type": "Pass", "End": true } } }';
  const resource = `{ "Type": "AWS::Serverless\\u003a:StateMachine", "Properties": { "Definition": ${machine} } }`;
  const template = { path: "template.json", text: `{ "Resources": { "Order": ${resource}, "Refund": ${resource} } }` };
  const memo = createCompileMemo();
  for (let i = 0; i < 2; i++) {
    const { files, diagnostics } = await compile([template], memo, { pick: ["Refund"] });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    expect(files.map(({ path }) => path)).toContain("Refund.asl.json");
    expect(files.map(({ path }) => path)).not.toContain("Order.asl.json");
  }
});

describe("workflows are joined", () => {
  const groupsOf = async (...given: readonly Source[]) => {
    const [{ program }] = (await compileForEach({ sources: given, options: {} }, languages, [{ target: asl }])) as [
      Awaited<ReturnType<typeof compileForEach>>[number],
    ];
    return joinedWorkflows(program!).map((group) => group.map(({ id }) => id.slice("shop.".length)));
  };

  test("by subflows, also through others", async () => {
    const first = source("first", run("parent"));
    expect(await groupsOf(other, child, parent, first)).toEqual([["other"], ["child", "parent", "first"]]);
  });

  test("by the types of events", async () => {
    const paid = source("paid", emit("shop.paid"));
    const waits = source("waits", listen("{ type: shop.paid }"));
    const sent = source("sent", emit("shop.sent"));
    expect(await groupsOf(paid, sent, waits, other)).toEqual([["paid", "waits"], ["sent"], ["other"]]);
    const any = source("any", listen("{ source: /shop }"));
    expect(await groupsOf(paid, sent, any, other)).toEqual([["paid", "sent", "any"], ["other"]]);
  });
});
