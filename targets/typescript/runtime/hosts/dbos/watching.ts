import type { Core } from "../../sqlite/core.ts";
import { parts } from "../parts.ts";
import type { Database } from "./database.ts";

/** Tells those who want to know how a run ends that goes on elsewhere. Of those that go on here they hear anyway. */
export function tellWatchers(core: Core, db: Database): void {
  if (core.watchers.size === 0) return;
  const here = new Set<string>();
  for (const { name, isEnded } of core.live.values()) if (!isEnded) here.add(name.id);
  const others = [...core.watchers.keys()].filter((id) => !here.has(id));
  if (others.length === 0) return;
  const ended = db.ask(
    "SELECT id FROM runs WHERE id = ANY($1::text[]) AND status NOT IN ('running', 'waiting')",
    others,
  ) as readonly { readonly id: string }[];
  for (const { id } of ended) {
    const [row, watchers] = [core.sql.runById.get(id), core.watchers.get(id)];
    if (!row || !watchers) continue;
    const summary = parts.summaryOf(core, row);
    core.watchers.delete(id);
    for (const watcher of watchers) watcher.ended(summary);
  }
}
