import { decideAll } from "./deciding.ts";
import { catchUp } from "./delivery.ts";
import { engineOn } from "./engine.ts";
import { StoreError } from "./file.ts";
import { outboxOf } from "./outbox.ts";
import { summaryOf } from "./reading.ts";
import { tell, tellAll } from "./sharing.ts";
import { strand } from "./stranding.ts";

/** What of the engine a host needs that keeps its store elsewhere. */
export type Parts = typeof all;

const all = { engineOn, StoreError, outboxOf, catchUp, decideAll, strand, summaryOf, tell, tellAll };

/** For modules of hosts beside the runtime: not for programs. */
export const engineParts: object = all;
