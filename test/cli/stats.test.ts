import { expect, test } from "vitest";
import { folderWith, waybill } from "./command.ts";

const flow = `id: parcel
name: Parcel
version: '1.0'
functions:
- { name: pack }
- { name: send }
states:
- name: Pack
  type: operation
  start: { kind: default }
  actions:
  - functionRef: { refName: pack, parameters: { order: $.order } }
  retry: [{ expression: { body: name eq 'Busy' }, interval: PT1M, maxAttempts: 2 }]
  transition: { nextState: Send }
- name: Send
  type: operation
  actions:
  - functionRef: { refName: send, parameters: { order: $.order } }
  end: { kind: default }
`;
const scenarios = (workflow: string, more = "") => `workflow: ${workflow}
scenarios:
- name: sent at once
  input: { order: 7 }
  expect: { status: succeeded }
- name: sent at the second attempt
  input: { order: 7 }
  functions: { pack: [{ throws: { name: Busy, message: Busy. } }, { returns: {} }] }
  expect: { status: succeeded }
${more}`;

const onlyElsewhere = `- name: not for these
  targets: [typescript]
  input: { order: 7 }
  expect: { status: succeeded }
`;

/** The table of scenarios. */
async function measured(target: string, ...more: readonly string[]): Promise<readonly string[]> {
  const folder = folderWith({ "parcel.yaml": flow, "runs.yaml": scenarios("parcel.yaml", onlyElsewhere) });
  const { status, err } = await waybill(folder, ["compile", "parcel.yaml", "--target", target, "--stats", ...more]);
  expect(status).toBe(0);
  return err.slice(err.indexOf("  scenario "), err.indexOf("total: ")).split("\n").slice(0, -1);
}

test("on Step Functions, runs have a cost and a share of the history", async () => {
  expect(await measured("asl")).toEqual([
    "  scenario                    transitions  dollars per million runs  events of history",
    "  sent at once                          2                        50        12 of 25000",
    "  sent at the second attempt            3                        75        15 of 25000",
  ]);
});

test("on OpenWhisk, runs have a number of activations, which depends on settings", async () => {
  expect(await measured("openwhisk")).toEqual([
    "  scenario                    invocations  component activations  conductor activations  other activations",
    "  sent at once                          1                      2                      3                  0",
    "  sent at the second attempt            2                      5                      7                  2",
  ]);
  const [, , second] = await measured("openwhisk", "--set", "openwhisk.checkpoint=each-call");
  expect(second).toMatch(/^ {2}sent at the second attempt +4 +7 +11 +2$/);
});

test("scenario files elsewhere can be given; those of other definitions or with errors are not measured", async () => {
  const folder = folderWith({
    "flows/parcel.yaml": flow,
    "flows/broken.yaml": scenarios("parcel.yaml", "- name: broken\n"),
    "flows/other.yaml": flow.replace("id: parcel", "id: other"),
    "flows/others.yaml": scenarios("other.yaml"),
    "runs/parcel.yaml": scenarios("../flows/parcel.yaml"),
  });
  const compile = ["compile", "flows/parcel.yaml", "--target", "asl", "--stats"];
  const beside = await waybill(folder, compile);
  expect(beside.err).toContain("flows/broken.yaml has errors and is skipped. Run `waybill test` to see them.\n");
  expect(beside.err).not.toContain("sent at once");
  const named = await waybill(folder, [...compile, "--scenarios", "runs"]);
  expect(named.err).not.toContain("broken");
  expect(named.err).toContain("  sent at the second attempt");
  expect((await waybill(folder, [...compile.slice(0, -1), "--scenarios", "runs"])).err).toBe(
    "--scenarios requires --stats.\n",
  );
});

test("metrics can be JSON", async () => {
  const folder = folderWith({ "parcel.yaml": flow, "runs.yaml": scenarios("parcel.yaml") });
  const args = ["compile", "parcel.yaml", "--target", "asl", "--stats", "--out", "machines", "--quiet"];
  const { out, err } = await waybill(folder, [...args, "--format", "json"]);
  expect(JSON.parse(out)).toBeInstanceOf(Array);
  expect(JSON.parse(err)).toEqual(
    expect.arrayContaining([
      { workflow: "parcel", scenario: "sent at once", name: "transitions", value: 2 },
      { workflow: "parcel", name: "states", value: 2 },
    ]),
  );
});
