import { step } from "../../../../src/events/broker.ts";
import type { Command } from "../../../../src/events/commands.ts";
import { unchanged } from "../store/documents.ts";
import { missingFunction, rulesOf } from "./event-rules.ts";
import { migrateBoard } from "./migration.ts";
import { type EventContext, emptyDocument, groupIn, type PartitionDocument } from "./partition-documents.ts";

/**
 * Applies commands to a partition. `name` distinguishes this change from others of the same activation; `awaited` is
 * what a wait among the commands is for.
 */
export async function changePartition(
  key: string,
  name: string,
  commands: (document: PartitionDocument) => readonly Command[],
  context: EventContext,
  awaited: PartitionDocument["kinds"] = {},
): Promise<PartitionDocument> {
  const mark = `${context.id}/${name}`;
  const next = (document: PartitionDocument): PartitionDocument | typeof unchanged => {
    const changed = applied(withKinds(document, awaited), commands(document), key, context);
    const isSame = changed.partition === document.partition && String(changed.lacking) === String(document.lacking);
    return isSame ? unchanged : withUsedKinds(changed);
  };
  let isMissing = false;
  const known = await context.documents.change<PartitionDocument>(key, mark, (document) => {
    isMissing = document === undefined;
    return document ? next(document) : unchanged;
  });
  if (!isMissing) return known.value ?? emptyDocument;
  await migrateBoard(context);
  const { value } = await context.documents.change<PartitionDocument>(key, mark, (document) =>
    next(document ?? emptyDocument),
  );
  return value ?? emptyDocument;
}

function applied(
  document: PartitionDocument,
  commands: readonly Command[],
  key: string,
  { program, settings, id, now }: EventContext,
): PartitionDocument {
  let count = 0;
  const newRun = (flow: string) => ((settings.starts?.includes(flow) ?? true) ? `${id}-${count++}` : undefined);
  const rules = rulesOf(program, groupIn(key), document.kinds, newRun);
  let { partition } = document;
  const sweep: Command = { kind: "sweep", before: now() - settings.keepEventsMs, limit: maxSwept };
  const lacking = lackingKinds(document, program);
  const isRestored = document.lacking?.some((digest) => !lacking.includes(digest)) === true;
  const settle: readonly Command[] = isRestored ? [{ kind: "settle", at: now(), isForced: true }] : [];
  for (const command of [sweep, ...settle, ...commands]) partition = step(partition, command, rules).partition;
  while (partition.isUnsettled) partition = step(partition, { kind: "settle", at: now() }, rules).partition;
  const { lacking: _, ...rest } = document;
  return { ...rest, partition, ...(lacking.length > 0 && { lacking }) };
}

/** The digests of waits that this deployment cannot match. Logs why. */
function lackingKinds({ kinds }: PartitionDocument, { functions = {} }: EventContext["program"]): readonly string[] {
  return Object.entries(kinds).flatMap(([digest, awaited]) => {
    const missing = missingFunction(awaited, functions);
    if (missing === undefined) return [];
    console.error(
      `Runs wait for events with the function ${JSON.stringify(missing)}, which this deployment does not contain. They ` +
        "keep waiting: deploy the definition with which they began to wait again.",
    );
    return [digest];
  });
}

/** One change deletes at most so many events. */
const maxSwept = 1000;

const withKinds = (document: PartitionDocument, kinds: PartitionDocument["kinds"]): PartitionDocument => ({
  ...document,
  kinds: { ...document.kinds, ...kinds },
});

function withUsedKinds(document: PartitionDocument): PartitionDocument {
  const used = new Set(document.partition.waits.map((wait) => wait.step));
  const kinds = Object.fromEntries(Object.entries(document.kinds).filter(([digest]) => used.has(digest)));
  return { ...document, kinds };
}
