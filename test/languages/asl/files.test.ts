// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of templates
import { describe, expect, test } from "vitest";
import { type Compilation, check, type Input } from "../../../src/compile.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import { positionOf } from "../../../src/text/source.ts";
import { readerOf } from "../../../src/text/uris.ts";
import { languages } from "../../languages.ts";

interface GivenFiles {
  readonly [path: string]: string;
}

/** Checks the first file; it can read the others. */
function checked(files: GivenFiles, more: Partial<Input> = {}): Compilation {
  const [source, ...others] = Object.entries(files).map(([path, text]) => ({ path, text }));
  return check({ sources: [source!], options: {}, read: readerOf(others), ...more }, languages);
}

const idsOf = ({ program }: Compilation): readonly string[] | undefined => program?.workflows.map(({ id }) => id);

/** The diagnostics as `path:line:column code`. */
const placesOf = ({ diagnostics }: Compilation): readonly string[] =>
  diagnostics.map(({ code, span }) => {
    const { line, column } = positionOf(span.source, span.start);
    return `${span.source.path}:${line}:${column} ${code}`;
  });

const resourcesOf = ({ program }: Compilation): readonly unknown[] =>
  (program?.workflows ?? []).flatMap(({ functions }) => functions.map(({ resource }) => resource));

/** The constant values of the only step that assigns some. */
const resultsOf = ({ program }: Compilation): readonly unknown[] =>
  program!.workflows.flatMap(stepsOf).flatMap((step) => {
    if (step.kind !== "assign") return [];
    return step.values.map(({ value }) => (value.kind === "literal" ? value.value : value.kind));
  });

const machine = (name: string, state = '"Type": "Pass", "End": true'): string =>
  `{ "StartAt": "${name}", "States": { "${name}": { ${state} } } }`;

const task = (resource: string): string => `"Type": "Task", "Resource": "${resource}", "End": true`;

const template = (...resources: readonly string[]): string => `Resources:\n${resources.join("")}`;

const sam = (id: string, properties: string): string =>
  `  ${id}:\n    Type: AWS::Serverless::StateMachine\n    Properties: ${properties}\n`;

const inTemplate = (value: string): string =>
  template(sam("Order", `{ Definition: { StartAt: A, States: { A: { Type: Pass, Result: ${value}, End: true } } } }`));

describe("templates", () => {
  const two = template(
    sam("Order", `{ Name: orders, Definition: ${machine("A")} }`),
    sam("Refund", "{ DefinitionUri: refund.asl.json }"),
  );

  test("have a workflow for each state machine, in the file or in a local one", () => {
    const found = checked({ "template.yaml": two, "refund.asl.json": machine("B") });
    expect(placesOf(found)).toEqual([]);
    expect(found.program!.workflows.map(({ id, name }) => [id, name])).toEqual([
      ["Order", "orders"],
      ["Refund", "Refund"],
    ]);
  });

  test("do not make their definitions twice of a file that is a source, too", () => {
    const files = { "a.asl.json": machine("B"), "template.yaml": two.replace("refund.asl.json", "a.asl.json") };
    const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
    expect(idsOf(checked(files, { sources }))).toEqual(["Order", "Refund"]);
  });

  test("only the picked machine is read", () => {
    const broken = two.replace("refund.asl.json", "missing.asl.json");
    expect(placesOf(checked({ "template.yaml": broken }))).toEqual(["template.yaml:7:34 WB2822"]);
    expect(idsOf(checked({ "template.yaml": broken }, { pick: ["Order"] }))).toEqual(["Order"]);
    expect(placesOf(checked({ "template.yaml": broken }, { pick: ["Ordr"] }))).toEqual(["template.yaml:3:5 WB0104"]);
  });

  test.each([
    ["!Ref Table", "${Table}"],
    ["!GetAtt Table.Arn", "${Table.Arn}"],
    ["{ Fn::GetAtt: [Table, Arn] }", "${Table.Arn}"],
    ['!Sub "${AWS::StackName}-table"', "${AWS::StackName}-table"],
    ['!Sub ["${Stage}-${Table}-${!Name}", { Stage: prod }]', "prod-${Table}-${Name}"],
    ['!Join ["-", [a, !Ref B, c]]', "a-${B}-c"],
    ["!ImportValue shared-table", "${Fn::ImportValue shared-table}"],
    ["!FindInMap [Names, Table, prod]", "${Fn::FindInMap Names.Table.prod}"],
  ])("%s is a string with placeholders", (written, read) => {
    const found = checked({ "template.yaml": inTemplate(written) });
    expect(placesOf(found)).toEqual([]);
    expect(resultsOf(found)).toEqual([read]);
  });

  test.each(["!If [IsProd, a, b]", "{ Fn::Select: [0, !Ref Names] }", "!Base64 text"])("%s is refused", (written) => {
    expect(placesOf(checked({ "template.yaml": inTemplate(written) }))).toEqual([
      expect.stringMatching(/^template\.yaml:4:.* WB2820$/),
    ]);
  });

  test("constants of `Mappings` are read", () => {
    const mappings = "Mappings: { Names: { Table: { prod: orders } } }\n";
    const found = checked({ "template.yaml": mappings + inTemplate("!FindInMap [Names, Table, prod]") });
    expect(resultsOf(found)).toEqual(["orders"]);
  });

  test("substitutions that are constant replace their placeholders, and others a resource that they are a part of", () => {
    const substitutions =
      "DefinitionSubstitutions: { Stage: prod, Put: !Sub 'arn:${AWS::Partition}:states:::dynamodb:putItem', Fn: !GetAtt Charge.Arn }";
    const states = ["${Put}", "${Fn}", "${Stage}"].map((name, i) => {
      const next = i === 2 ? "End: true" : `Next: T${i + 1}`;
      return `T${i}: { Type: Task, Resource: "${name}", ${next} }`;
    });
    const text = template(
      sam("Order", `{ ${substitutions}, Definition: { StartAt: T0, States: { ${states.join(", ")} } } }`),
    );
    expect(resourcesOf(checked({ "template.yaml": text }))).toEqual([
      "arn:${AWS::Partition}:states:::dynamodb:putItem",
      "${Fn}",
      "prod",
    ]);
  });

  test("a given value replaces a reference in a substitution, also in strings of other values", () => {
    const substitutions = 'DefinitionSubstitutions: { Table: !Ref T, Long: !Sub "a-${T}", Open: !Ref U }';
    const state = '"Type": "Pass", "Result": ["${Table}", "${Long}", "${Open}"], "End": true';
    const text = template(sam("Order", `{ ${substitutions}, Definition: ${machine("A", state)} }`));
    const found = checked({ "template.yaml": text }, { placeholders: new Map([["T", "orders"]]) });
    expect(resultsOf(found)).toEqual([["orders", "a-orders", "${Open}"]]);
  });

  test("a reference without a value outside of strings is reported at its place", () => {
    const state = '"Type": "Wait", "Seconds": ${Pause}, "End": true';
    const definition = JSON.stringify(machine("A", state));
    const text = template(
      sam("Order", `{ DefinitionSubstitutions: { Pause: !Ref P }, DefinitionString: ${definition} }`),
    );
    expect(placesOf(checked({ "template.yaml": text })).map((each) => each.split(" ")[1])).toEqual(["WB2821"]);
  });

  test("definitions in strings have their positions in the template", () => {
    const joined = JSON.stringify(
      {
        Resources: {
          Order: {
            Type: "AWS::StepFunctions::StateMachine",
            Properties: {
              DefinitionString: {
                "Fn::Join": ["", [machine("A", task("arn:${")).split("${")[0]!, { Ref: "Fn" }, '", "Edn": true } } }']],
              },
            },
          },
        },
      },
      null,
      1,
    );
    const found = checked({ "template.json": joined });
    expect(placesOf(found)).toEqual([expect.stringMatching(/WB1007$/)]);
    const [{ span }] = found.diagnostics as [Compilation["diagnostics"][number]];
    expect(joined.slice(span.start, span.end)).toBe('\\"Edn\\"');
  });

  test("definitions in block scalars have their positions in the template", () => {
    const lines = machine("A").replace('"End"', '\n          "Edn"');
    const text = template(
      "  Order:\n    Type: AWS::StepFunctions::StateMachine\n    Properties:\n      DefinitionString: |\n",
      `        ${lines}\n`,
    );
    expect(placesOf(checked({ "template.yaml": text }))).toEqual(["template.yaml:7:11 WB1007"]);
  });

  test.each([
    ["{ DefinitionUri: s3://bucket/key }", "WB2823"],
    ["{ DefinitionUri: { Bucket: b, Key: k } }", "WB2823"],
    ["{ Name: orders }", "WB2823"],
    ["{ Definition: { Fn::Transform: { Name: AWS::Include } } }", "WB2820"],
  ])("%s is refused", (properties, code) => {
    const found = checked({ "template.yaml": template(sam("Order", properties)) });
    expect(found.diagnostics.map((each) => each.code)).toEqual([code]);
  });
});

test("a placeholder that has a value is replaced in every string, and outside of strings in JSON", () => {
  const text = JSON.stringify({ StartAt: "A", States: { A: { Type: "Pass", Result: "t-${Stage}-${X}", End: true } } });
  const placeholders = new Map([["Stage", "prod"]]);
  expect(resultsOf(checked({ "a.asl.json": text }, { placeholders }))).toEqual(["t-prod-${X}"]);
});

test("a placeholder named like a member of all objects has no value", () => {
  const text = JSON.stringify({ StartAt: "A", States: { A: { Type: "Pass", Result: "${constructor}", End: true } } });
  const placeholders = new Map([["Stage", "prod"]]);
  expect(resultsOf(checked({ "a.asl.json": text }, { placeholders }))).toEqual(["${constructor}"]);
});

describe("files of the Serverless Framework", () => {
  const serverless = (definition: string): string =>
    `service: shop\nstepFunctions:\n  stateMachines:\n    order:\n      definition: ${definition}\n`;

  test("have a workflow for each key", () => {
    const inline = `{ StartAt: A, States: { A: { Type: Task, Resource: { Fn::GetAtt: [charge, Arn] }, End: true } } }`;
    const found = checked({ "serverless.yml": serverless(inline) });
    expect(idsOf(found)).toEqual(["order"]);
    expect(resourcesOf(found)).toEqual(["${charge.Arn}"]);
  });

  test("follow references to local files", () => {
    const files = { "serverless.yml": serverless("${file(./order.asl.json)}"), "order.asl.json": machine("A") };
    expect(idsOf(checked(files))).toEqual(["order"]);
    expect(placesOf(checked({ "serverless.yml": serverless("${self:custom.order}") }))).toEqual([
      "serverless.yml:5:19 WB2823",
    ]);
  });
});

describe("Terraform files", () => {
  const resource = (definition: string): string =>
    `# orders\nresource "aws_sfn_state_machine" "order" {\n  name = "orders"\n  definition = ${definition}\n}\n`;
  const encoded = (state: string): string =>
    resource(`jsonencode({\n    StartAt = "A"\n    States = { A = { ${state} } }\n  })`);

  test("literals and references are read", () => {
    const state =
      'Type = "Task", Resource = aws_lambda_function.charge["a"].arn, TimeoutSeconds = 30 /* s */, End = true';
    const found = checked({ "main.tf": encoded(state) });
    expect(placesOf(found)).toEqual([]);
    expect(found.program!.workflows.map(({ id, name }) => [id, name])).toEqual([["order", "orders"]]);
    expect(resourcesOf(found)).toEqual(['${aws_lambda_function.charge["a"].arn}']);
  });

  test.each([
    ['Type = "Pass", Result = "a-${var.stage}", End = true', "a-${var.stage}"],
    ['Type = "Pass", Result = "$${kept}", End = true', "${kept}"],
    ['Type = "Pass", Result = "\\u00e9\\"", End = true', 'é"'],
    ['"Type" : "Pass", Result = format("%s", var.x), End = true', '${format("%s", var.x)}'],
  ])("%s", (state, result) => {
    expect(resultsOf(checked({ "main.tf": encoded(state) }))).toEqual([result]);
  });

  test.each([
    ["Result = var.x ? 1 : 2", "A condition"],
    ["Result = [for x in var.xs : x]", "A `for` expression"],
    ["Result = merge(local.a, { b = 1 })", "`merge`"],
    ["Result = var.x + 1", "An expression"],
    ['Result = "%{ if var.x }a%{ endif }"', "A directive `%{ … }`"],
  ])("%s is refused", (result, what) => {
    const { diagnostics } = checked({ "main.tf": encoded(`Type = "Pass", End = true, ${result}`) });
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["WB2824", `${what} is written in Terraform's own language, which is not evaluated.`],
    ]);
  });

  test("heredocs have their positions in the file", () => {
    const heredoc = `<<-EOF\n    {\n      "StartAt": "A",\n      "States": { "A": { "Type": "Pass", "Edn": true } }\n    }\n  EOF`;
    expect(placesOf(checked({ "main.tf": resource(heredoc) }))).toEqual(["main.tf:7:42 WB1007"]);
  });

  test("files and templates are followed", () => {
    const inFile = { "main.tf": resource('file("${path.module}/order.asl.json")'), "order.asl.json": machine("A") };
    expect(idsOf(checked(inFile))).toEqual(["order"]);
    const templated = resource('templatefile("order.tftpl", { arn = aws_lambda_function.f.arn, limit = 5 })');
    const text = machine("A", `${task("${arn}")}, "TimeoutSeconds": \${limit}`);
    const found = checked({ "main.tf": templated, "order.tftpl": text });
    expect(placesOf(found)).toEqual([]);
    expect(resourcesOf(found)).toEqual(["${arn}"]);
  });

  test("other definitions are refused", () => {
    for (const other of ["local.definition", "file(local.path)", "jsonencode(yamldecode(file(local.path)))"])
      expect(checked({ "main.tf": resource(other) }).diagnostics.map(({ code }) => code)).toEqual(["WB2824"]);
  });

  test.each([
    'resource "aws_sfn_state_machine" "a" {',
    resource("jsonencode({ a = [").slice(0, -3),
    '"aws_sfn_state_machine" <<EOF',
  ])("an unfinished file does not fail: %s", (text) => {
    expect(() => checked({ "main.tf": text })).not.toThrow();
  });

  test("a long file takes time in proportion to its size", () => {
    const state = 'Type = "Pass", Result = "${a}", End = true';
    const text = encoded(state) + 'x = { a = [1, { b = "${c}" }] }\n'.repeat(20_000);
    const began = performance.now();
    expect(idsOf(checked({ "main.tf": text }))).toEqual(["order"]);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
