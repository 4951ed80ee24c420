import { loaderOf } from "../../targets/typescript/load.ts";
import type { openEngine } from "../../targets/typescript/runtime/hosts/restate/index.ts";
import { type HostUnderTest, mortal } from "./host.ts";
import { runtimePlace } from "./place.ts";
import type { Restate } from "./restate-server.ts";

/** Opens an engine as the module `restate.js` does of emitted programs. */
export const openOnRestate: typeof openEngine = async (options, hooks) => {
  const module = loaderOf(runtimePlace())("restate.js") as { readonly openEngine: typeof openEngine };
  return module.openEngine(options, hooks);
};

/** The host that keeps runs in Restate, as workflows there. */
export const restateOn = (server: () => Restate): HostUnderTest => ({
  name: "restate",
  apart: 200,
  isRemote: true,
  onTheirWay: 50,
  newStore: () => server().address(),
  open: (_load, options) => openOnRestate(options),
  openMortal: (_load, options, commits) => mortal(commits, ({ committed }) => openOnRestate(options, { committed })),
});
