import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Client, textOf } from "./client.ts";
import { configuration, misspelled, order } from "./order.ts";

// Each file starts a server, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let client: Client;
beforeAll(async () => {
  client = await Client.start({ "waybill.config.yaml": configuration });
});
afterAll(() => client.stop());

test("the server names itself and what it can do", () => {
  expect(client.initialized?.serverInfo?.name).toBe("waybill");
  expect(client.initialized?.capabilities.positionEncoding).toBe("utf-16");
});

test("diagnostics have the codes, places, hints and pages of the command", async () => {
  await client.open("orders.yaml", misspelled);
  const found = await client.diagnostics("orders.yaml");
  expect(found.map(({ code, severity, range }) => [code, severity, textOf(misspelled, range)])).toEqual([
    ["WB1007", 1, "resourse"],
    ["WB2002", 1, "charg"],
    ["WB2001", 1, "Shp"],
  ]);
  expect(found[0]).toMatchObject({
    source: "waybill",
    message: "`resourse` is not a property of a function definition.\nDid you mean `resource`?",
  });
  expect(found[0]?.codeDescription?.href).toMatch(/^https:.*\/WB1007\.md$/);
});

test("diagnostics follow what is typed, without saving", async () => {
  await client.edit("orders.yaml", "Shp", "Ship");
  const codes = (await client.diagnostics("orders.yaml")).map(({ code }) => code);
  expect(codes).not.toContain("WB2001");
  expect(codes).toContain("WB1007");
});

test("only the last of several quick changes is reported", async () => {
  await client.open("quick.yaml", order);
  await client.diagnostics("quick.yaml");
  for (const [from, to] of [
    ["Finish", "Fin"],
    ["Fin", "Fi"],
    ["Fi", "Finish"],
  ] as const)
    await client.edit("quick.yaml", from, to);
  expect(await client.diagnostics("quick.yaml")).toEqual([]);
  await client.close("quick.yaml");
});

test("invalid YAML while typing is one error, and does not end the session", async () => {
  await client.open("typing.yaml", order.replace("name: order", "name: typing"));
  await client.edit("typing.yaml", "- name: Finish\n", '- name: Finish\n- { name: "Half\n');
  expect((await client.diagnostics("typing.yaml"))[0]?.severity).toBe(1);
  await client.edit("typing.yaml", '- { name: "Half\n', "");
  expect(await client.diagnostics("typing.yaml")).toEqual([]);
  await client.close("typing.yaml");
});

test("related places are those of the notes", async () => {
  const twice = order.replace("name: order", "name: twice").replace("- name: Finish", "- name: Finish\n- name: Finish");
  await client.open("twice.yaml", twice);
  const found = (await client.diagnostics("twice.yaml")).find(({ relatedInformation }) => relatedInformation);
  expect(found?.relatedInformation?.[0]?.location.uri).toBe(client.uri("twice.yaml"));
  await client.close("twice.yaml");
});

test("files that are not about workflows have no diagnostics", async () => {
  await client.open("compose.yaml", "services:\n  web: { image: nginx }\n");
  expect(await client.diagnostics("compose.yaml")).toEqual([]);
});

test("a configuration is checked as it is typed, and applies unsaved", async () => {
  await client.open("waybill.config.yaml", configuration);
  expect(await client.diagnostics("waybill.config.yaml")).toEqual([]);
  await client.edit("waybill.config.yaml", "functions:", "functons:");
  const [found] = await client.diagnostics("waybill.config.yaml");
  expect(found?.message).toContain("functons");
  await client.edit("waybill.config.yaml", "functons:", "functions:");
  await client.diagnostics("waybill.config.yaml");
  await client.close("waybill.config.yaml");
});

test("names that plug-ins may define are not reported, because the server loads none", async () => {
  const text = "plugins: [./paper.mjs]\nsources: [flows]\noutputs: [{ target: paper, out: paper }, { target: asl }]\n";
  client.write("plugin/paper.mjs", "throw new Error('loaded');\n");
  await client.open("plugin/waybill.config.yaml", text);
  const found = await client.diagnostics("plugin/waybill.config.yaml");
  expect(found.map(({ code, message }) => [code, String(message).split("\n")[0]])).toEqual([
    ["WB0502", "`out` of an output must be the path of a folder."],
  ]);
  await client.close("plugin/waybill.config.yaml");
});

test("the definitions of a configuration are one program, open or not", async () => {
  client.write("flows/waybill.config.yaml", configuration);
  client.write("flows/first.yaml", order);
  await client.open("flows/second.yaml", order);
  const [found] = await client.diagnostics("flows/second.yaml");
  expect(found?.message).toContain("order");
  expect(found?.severity).toBe(1);
  await client.edit("flows/second.yaml", "name: order", "name: another");
  expect(await client.diagnostics("flows/second.yaml")).toEqual([]);
  await client.close("flows/second.yaml");
});

test("a project consists of its sources", async () => {
  client.write("shop/waybill.config.yaml", `sources: [flows/*.yaml]\n${configuration}`);
  client.write("shop/flows/first.yaml", order.replace("name: order", "name: first"));
  client.write("shop/drafts/third.yaml", order.replace("name: order", "name: second"));
  await client.open("shop/flows/second.yaml", order.replace("name: order", "name: second"));
  expect(await client.diagnostics("shop/flows/second.yaml")).toEqual([]);
  await client.edit("shop/flows/second.yaml", "name: second", "name: first");
  expect((await client.diagnostics("shop/flows/second.yaml"))[0]?.severity).toBe(1);
  await client.close("shop/flows/second.yaml");
});

test("closing a file removes its diagnostics", async () => {
  await client.close("orders.yaml");
  await client.until(() => (client.published("orders.yaml")?.length === 0 ? true : undefined));
});

test("positions count UTF-16 units and accept CRLF", async () => {
  const text =
    "name: flags\r\nversion: '1'\r\nstates:\r\n- name: 🏁🏁\r\n  start: true\r\n  transitions: [{ nextState: 🚩 }]\r\n";
  await client.open("flags.yaml", text);
  const [found] = await client.diagnostics("flags.yaml");
  expect(textOf(text, found!.range)).toBe("🚩");
  expect(found!.range.start).toEqual({ line: 5, character: 29 });
  await client.close("flags.yaml");
});
