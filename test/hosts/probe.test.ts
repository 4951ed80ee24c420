import { test } from "vitest";
import { startRestate } from "./restate-server.ts";
import { restateOn, openOnRestate } from "./restate.ts";
import { emittedGoldens, tellAll } from "./goldens.ts";
test("probe", { timeout: 200000 }, async () => {
  const server = await startRestate();
  const host = restateOn(() => server);
  const goldens = await emittedGoldens(10);
  const all = goldens.all.filter(({ name }) => new RegExp(process.env["ONLY"]!).test(name));
  const many = Number(process.env["TIMES"] ?? 1); const t = performance.now();
  const noisy = { ...host, open: (_l: any, o: any) => openOnRestate({ ...o, log: (e: any) => undefined }) };
  const told = await tellAll(noisy as any, { ...goldens, all: Array.from({ length: many }, () => all).flat() }, 2);
  console.log(JSON.stringify(told, undefined, 1), performance.now() - t);
  await goldens.close();
  await server.stop();
});
