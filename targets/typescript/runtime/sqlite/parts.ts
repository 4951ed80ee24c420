import { RunEnd, WorkflowError } from "../errors.ts";
import { neverAborted } from "../flow/abort.ts";
import { listenersByPosition } from "../flow/context.ts";
import { byPosition } from "../flow/line.ts";
import { definitionOf, isOf, startedBy, tokenOf } from "../flow/matching.ts";
import { firstToken, runWorkflow } from "../flow/run.ts";
import { own, setOwn } from "../json.ts";
import { sendTo } from "../main/sinks.ts";
import { forgettingEarly } from "./alarm.ts";
import { decideAll } from "./deciding.ts";
import { catchUp } from "./delivery.ts";
import { engineOn } from "./engine.ts";
import { requireEvent, requireId } from "./entering.ts";
import { StoreError } from "./file.ts";
import { outboxOf } from "./outbox.ts";
import { summaryOf } from "./reading.ts";
import { tell, tellAll } from "./sharing.ts";
import { strand } from "./stranding.ts";
import { chanceOf, failureFrom, failureIn, failureText, tokenKey } from "./values.ts";

/** What of the engine a host needs that keeps its store elsewhere. */
export type Parts = typeof all;

const ofStore = {
  engineOn,
  StoreError,
  outboxOf,
  catchUp,
  decideAll,
  forgettingEarly,
  strand,
  summaryOf,
  tell,
  tellAll,
};

const ofRuns = { RunEnd, WorkflowError, listenersByPosition, definitionOf, isOf, tokenOf, firstToken, runWorkflow };

const ofEntering = { requireEvent, requireId };

const ofValues = { startedBy, chanceOf, failureFrom, failureIn, failureText, tokenKey, own, setOwn };

const ofOrder = { byPosition, neverAborted, sendTo };

const all = { ...ofStore, ...ofRuns, ...ofEntering, ...ofValues, ...ofOrder };

/** For modules of hosts beside the runtime: not for programs. */
export const engineParts: object = all;
