import { loaderOf } from "../../targets/typescript/load.ts";
import type { Hooks, openEngine } from "../../targets/typescript/runtime/hosts/dbos/index.ts";
import { type HostUnderTest, mortal } from "./host.ts";
import { runtimePlace } from "./place.ts";
import type { Postgres } from "./postgres.ts";

/** Opens an engine as the module `dbos.js` does of emitted programs. */
export const openOnDbos: typeof openEngine = async (options, hooks) => {
  const module = loaderOf(runtimePlace())("dbos.js") as { readonly openEngine: typeof openEngine };
  return module.openEngine(options, { ...quick, ...hooks });
};

/** The host that keeps runs in a database of PostgreSQL, as workflows of DBOS. */
export const dbosOn = (server: () => Postgres): HostUnderTest => ({
  name: "dbos",
  apart: 120,
  newStore: () => server().database(),
  open: (_load, options) => openOnDbos(options),
  openMortal: (_load, options, commits) => mortal(commits, (hooks) => openOnDbos(options, hooks)),
});

/** The dead are buried soon. */
const quick: Hooks = { beat: 60, patience: 40 };
