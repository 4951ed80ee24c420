import type { LogEntry } from "../../engine.ts";
import type { Database } from "./database.ts";

/** The time of all processes on a database: that of the database, whatever the clock of a machine says. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /** Asks the database what time it is. */
  look(): void;
}

/** From how many milliseconds on it is told that the clock of this machine is another one. */
const worthTelling = 1000;

/**
 * The clock of a database, as it is known in a process with a clock of its own. The two may differ by as much as the answer took, and are taken for the
 * same as long as no more is known than that.
 */
export function clockOf(db: Database, log: (entry: LogEntry) => void, own: () => number = Date.now): Clock {
  let [ahead, told] = [0, 0];
  const look = () => {
    const asked = own();
    const [row] = db.ask("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS time") as readonly {
      readonly time: number;
    }[];
    const answered = own();
    const [least, most] = [row!.time - answered - 1, row!.time - asked + 1];
    if (answered < asked || (least <= ahead && ahead <= most)) return;
    ahead = (least + most) / 2;
    if (Math.abs(ahead - told) < worthTelling) return;
    told = ahead;
    log({
      level: "warn",
      message: `The clock of this machine is ${apart(-ahead)} that of the database, which counts.`,
    });
  };
  return { now: () => Math.floor(own() + ahead), look };
}

const apart = (milliseconds: number): string =>
  `${Math.round(Math.abs(milliseconds) / 1000)} s ${milliseconds < 0 ? "behind" : "ahead of"}`;
