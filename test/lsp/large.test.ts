import { expect, test, vi } from "vitest";
import type { Hover } from "vscode-languageserver/node";
import { Client } from "./client.ts";
import { order } from "./order.ts";

// Each file starts a server, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const count = 400;
const nameOf = (i: number): string => `flows/order-${i}.yaml`;
const files = Object.fromEntries(
  Array.from({ length: count }, (_, i) => [nameOf(i), order.replace("name: order", `name: order${i}`)]),
);
const configuration = "sources: [flows/*.yaml]\noutputs: [{ target: asl, out: build }]\ndiagnostics: { WB2406: off }\n";

/** Requests that are answered one after another until the current version of a file has diagnostics. */
async function requestsDuringCheck(client: Client, path: string): Promise<number> {
  let isChecked = false;
  const checked = client.diagnostics(path).then(() => {
    isChecked = true;
  });
  let answered = 0;
  while (!isChecked) {
    await client.at<Hover | null>("textDocument/hover", path, "type: invoke|Function");
    answered += 1;
  }
  await checked;
  return answered;
}

test("requests are answered while a project of 400 definitions is checked", async () => {
  const client = await Client.start({ ...files, "waybill.config.yaml": configuration });
  await client.open(nameOf(0), files[nameOf(0)]!);
  expect(await requestsDuringCheck(client, nameOf(0))).toBeGreaterThan(5);
  // The diagnostics of other files are sent if there are any.
  expect(client.published(nameOf(1))).toBeUndefined();

  const third = files[nameOf(3)]!;
  await client.open(nameOf(3), third);
  await client.diagnostics(nameOf(3));
  await client.edit(nameOf(3), "name: order3", "name: order4");
  await client.diagnostics(nameOf(3));
  const duplicate = await client.until(() => client.published(nameOf(4)));
  expect(duplicate.map(({ code }) => code)).toEqual(["WB2005"]);
  await client.edit(nameOf(3), "name: order4", "name: order3");
  await client.until(() => (client.published(nameOf(4))?.length === 0 ? true : undefined));
  expect(client.errors).toBe("");
  expect(await client.stop()).toBe(0);
});

test("the check of a version ends when a newer one replaces it", async () => {
  const client = await Client.start({ ...files, "waybill.config.yaml": configuration });
  await client.open(nameOf(0), files[nameOf(0)]!);
  // During the first check.
  await client.at<Hover | null>("textDocument/hover", nameOf(0), "type: invoke|Function");
  await client.edit(nameOf(0), "nextState: Finish", "nextState: Finsh");
  const found = await client.diagnostics(nameOf(0));
  expect(found.map(({ code }) => code)).toContain("WB2001");
  expect(client.errors).toBe("");
  expect(await client.stop()).toBe(0);
});
