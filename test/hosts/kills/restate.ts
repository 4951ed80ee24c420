import { isDeepStrictEqual } from "node:util";
import { createLoader } from "../../../targets/typescript/load.ts";
import type { Engine, RunSummary } from "../../../targets/typescript/runtime/engine.ts";
import type { openEngine } from "../../../targets/typescript/runtime/hosts/restate/index.ts";
import { expectedOutput, workflows } from "../../crash/workflow.ts";
import { startBalancer } from "../balancer.ts";
import { freePort, type RestateServer } from "../restate-server.ts";
import { runtimeFolder } from "../runtime-folder.ts";
import { serveCalls } from "./calls.ts";
import { type KillReport, type Orders, runCampaign, settled } from "./campaign.ts";

/** What happens to a process or to the server. */
export type Disturbance = "kill" | "stop" | "stop server" | "kill server";

/** Runs orders in two processes behind one address of a Restate server. One of them, or the server, is disturbed. */
export async function runWithKills(
  server: RestateServer,
  moments: number,
  random: () => number,
  kinds: readonly Disturbance[],
): Promise<KillReport> {
  const ports = [await freePort(), await freePort()];
  const balancer = await startBalancer(ports);
  const calls = await serveCalls();
  const store = new URL(await server.address());
  store.searchParams.set("service", `http://127.0.0.1:${balancer.port}`);
  const storeAt = (port: number): string => {
    store.searchParams.set("port", `${port}`);
    return `${store}`;
  };
  try {
    const report = await runCampaign<Disturbance>(
      {
        processes: ports.length,
        moments,
        kinds,
        random,
        request: (place) => ({ host: "restate", store: storeAt(ports[place]!), calls: calls.address, patience: 0 }),
        async disturb(kind, process) {
          const duration = 500 + 4500 * random();
          if (kind === "kill") await process.kill();
          else if (kind === "stop") await process.stop(duration);
          else if (kind === "stop server") await server.pause(duration);
          else {
            await server.stop();
            await server.start();
          }
        },
      },
      (orders) => faultsOf(storeAt(ports[0]!), orders),
    );
    return { ...report, repeated: calls.repeated().length };
  } finally {
    await balancer.close();
    calls.close();
  }
}

/** Orders without an event wait for a minute and continue without it. */
async function faultsOf(store: string, orders: Orders): Promise<readonly string[]> {
  const options = { store, workflows, functions: {}, send: () => undefined, log: () => undefined, isPaused: true };
  const module = createLoader(runtimeFolder())("restate.js") as { readonly openEngine: typeof openEngine };
  const engine = await module.openEngine(options);
  try {
    return await settled(120, async () => findFaults(await allRuns(engine), orders));
  } finally {
    await engine.close();
  }
}

async function allRuns(engine: Engine): Promise<readonly RunSummary[]> {
  const { runs } = await engine.list({ limit: 1000 });
  const details = await Promise.all(runs.map(({ id }) => engine.show(id)));
  return details.flatMap((run) => run ?? []);
}

/** Runs with a wrong result or none, and started orders that do not exist. */
function findFaults(runs: readonly RunSummary[], { count, paid }: Orders): readonly string[] {
  const known = new Set(runs.map(({ id }) => id));
  const wrong = runs.flatMap(({ id, status, output, error, reason }) => {
    const order = Number(id.slice("order-".length));
    const expected = expectedOutput(order);
    const allowed = paid.has(order) ? [expected] : [expected, { ...expected, paid: 0 }];
    return allowed.some((each) => isDeepStrictEqual(each, output))
      ? []
      : [`${id} is ${status}: ${JSON.stringify(output ?? error ?? reason)}.`];
  });
  return [
    ...(runs.length > count ? ["There are more runs than were started."] : []),
    ...[...paid].flatMap((order) => (known.has(`order-${order}`) ? [] : [`order-${order} is lost.`])),
    ...wrong,
  ];
}
