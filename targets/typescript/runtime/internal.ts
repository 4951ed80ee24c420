/**
 * What the modules of hosts use of the runtime. Emitted programs contain it as `runtime.internal.js` if their host has a
 * module of its own. No part of the public face: programs do not import it.
 */

export { step as applyCommand } from "../../../src/events/broker.ts";
export { changesBetween, partitionFrom } from "../../../src/events/changes.ts";
export { compareWaits } from "../../../src/events/draft.ts";
export { answerOf, emptyPartition } from "../../../src/events/partition.ts";
export { pendingEffects } from "../../../src/events/pending.ts";
export { commonPartition, partitionOf, partitionsOf } from "../../../src/events/routing.ts";
export { isVisible } from "../../../src/events/visibility.ts";
export { CannotRetry, RunEnd, WorkflowError } from "./errors.ts";
export { neverAborted } from "./flow/abort.ts";
export { byPosition } from "./flow/ready-queue.ts";
export { runWorkflow } from "./flow/run.ts";
export { own, setOwn } from "./json.ts";
export { sendTo } from "./main/sinks.ts";
export { includesWorkflow, listedRun, pageOf, pageRange, stepRange } from "./paging.ts";
export { Replay } from "./replay/replay.ts";
export { awaitedEvents, definitionOf, initialValue, rulesOf, waitOf, waitResult, waitStep } from "./rules.ts";
export { addRuns } from "./run-counts.ts";
export { reportEnd, reportStart } from "./run-reports.ts";
export { matchesSearch, valueTexts } from "./search.ts";
export { requireEvent, requireId } from "./sqlite/acceptance.ts";
export { announce } from "./sqlite/announcing.ts";
export { catchUp } from "./sqlite/delivery.ts";
export { decodePayload } from "./sqlite/encoding.ts";
export { engineTask } from "./sqlite/engine.ts";
export { StoreError } from "./sqlite/file.ts";
export { outboxOf } from "./sqlite/outbox.ts";
export { unplaced } from "./sqlite/processes.ts";
export { summaryOf } from "./sqlite/reading.ts";
export { recordedEntry } from "./sqlite/recorded-entry.ts";
export { retentionOf } from "./sqlite/retention.ts";
export { Known, together } from "./sqlite/store.ts";
export { strand } from "./sqlite/stranding.ts";
export { settleEarlierEvents } from "./sqlite/upgrade.ts";
export { chanceOf, failureFrom, failureIn, failureText, tokenKey } from "./sqlite/values.ts";
export { noTasks } from "./tasks.ts";
export { traceOfEvents } from "./trace.ts";
