import { step } from "../../../../src/events/broker.ts";
import { changesBetween, partitionFrom } from "../../../../src/events/changes.ts";
import { compareWaits } from "../../../../src/events/draft.ts";
import { answerOf, emptyPartition } from "../../../../src/events/partition.ts";
import { pendingEffects } from "../../../../src/events/pending.ts";
import { partitionOf, partitionsOf } from "../../../../src/events/routing.ts";
import { RunEnd, WorkflowError } from "../errors.ts";
import { neverAborted } from "../flow/abort.ts";
import { byPosition } from "../flow/ready-queue.ts";
import { runWorkflow } from "../flow/run.ts";
import { own, setOwn } from "../json.ts";
import { sendTo } from "../main/sinks.ts";
import { awaitedEvents, definitionOf, initialValue, rulesOf, waitOf, waitResult, waitStep } from "../rules.ts";
import { requireEvent, requireId } from "./acceptance.ts";
import { announce } from "./announcing.ts";
import { catchUp } from "./delivery.ts";
import { engineOn } from "./engine.ts";
import { StoreError } from "./file.ts";
import { outboxOf } from "./outbox.ts";
import { summaryOf } from "./reading.ts";
import { recordedEntry } from "./recorded-entry.ts";
import { retentionOf } from "./retention.ts";
import { strand } from "./stranding.ts";
import { settleEarlierEvents } from "./upgrade.ts";
import { chanceOf, failureFrom, failureIn, failureText, tokenKey } from "./values.ts";

/** The parts of the engine for hosts with other stores. */
export type Parts = typeof all;

const ofStore = {
  engineOn,
  StoreError,
  outboxOf,
  announce,
  catchUp,
  recordedEntry,
  retentionOf,
  settleEarlierEvents,
  strand,
  summaryOf,
};

const ofRuns = { RunEnd, WorkflowError, runWorkflow };

const ofEntering = { requireEvent, requireId };

const ofValues = { chanceOf, failureFrom, failureIn, failureText, tokenKey, own, setOwn };

const ofOrder = { byPosition, neverAborted, sendTo };

const ofBroker = {
  step,
  changesBetween,
  partitionFrom,
  compareWaits,
  emptyPartition,
  answerOf,
  pendingEffects,
  partitionOf,
  partitionsOf,
};

const ofRules = { awaitedEvents, definitionOf, initialValue, rulesOf, waitOf, waitResult, waitStep };

const all = { ...ofStore, ...ofRuns, ...ofEntering, ...ofValues, ...ofOrder, ...ofBroker, ...ofRules };

/** For the modules of other hosts, which are emitted next to the runtime; not for programs. */
export const engineParts: object = all;
