import { afterAll, beforeAll, describe } from "vitest";
import { restateOn } from "./restate.ts";
import { absence, type Restate, startRestate } from "./restate-server.ts";
import { lawsOn, scenariosOn } from "./suite.ts";

const why = absence();
/** All scenarios take minutes: `HOSTS=all` tells them. */
const every = process.env["HOSTS"] === "all" ? 1 : Number(process.env["EVERY"] ?? 100);

describe.skipIf(why !== undefined)(`Restate${why ? ` (left out: ${why})` : ""}`, () => {
  let server: Restate;
  beforeAll(async () => {
    server = await startRestate();
  }, 90_000);
  afterAll(() => server.stop(), 60_000);

  const host = restateOn(() => server);
  lawsOn(host);
  scenariosOn(host, every === 1 ? "./left-out-restate.txt" : "./left-out-restate-few.txt", { every, width: 6 });
});
