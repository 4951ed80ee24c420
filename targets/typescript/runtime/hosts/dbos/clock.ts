import type { LogEntry } from "../../engine.ts";
import type { Task } from "../../sqlite/store.ts";
import type { Database } from "./database.ts";

/** The clock of all processes on a database: that of the database. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Reads the time of the database. */
  look(): Task<void>;
}

/** The minimum difference of the clocks that is logged, in milliseconds. */
const minLogged = 1000;

/**
 * Estimates the clock of a database from that of this machine. The estimate changes only if the clocks differ by more
 * than the duration of the query explains.
 */
export function clockOf(db: Database, log: (entry: LogEntry) => void, own: () => number = Date.now): Clock {
  let [ahead, logged] = [0, 0];
  const look = function* (): Task<void> {
    const sent = own();
    const [row] = yield* db.ask<{ readonly time: number }>(
      "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS time",
    );
    const received = own();
    const [least, most] = [row!.time - received - 1, row!.time - sent + 1];
    if (received < sent || (least <= ahead && ahead <= most)) return;
    ahead = (least + most) / 2;
    if (Math.abs(ahead - logged) < minLogged) return;
    logged = ahead;
    log({
      level: "warn",
      message: `The clock of this machine is ${apart(-ahead)} that of the database, which counts.`,
    });
  };
  return { now: () => Math.floor(own() + ahead), look };
}

const apart = (milliseconds: number): string =>
  `${Math.round(Math.abs(milliseconds) / 1000)} s ${milliseconds < 0 ? "behind" : "ahead of"}`;
