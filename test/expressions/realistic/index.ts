import { invoicePrograms } from "./invoices.ts";
import { logPrograms } from "./logs.ts";
import { orderPrograms } from "./orders.ts";
import { podPrograms } from "./pods.ts";
import type { RealisticProgram } from "./program.ts";
import { pullRequestPrograms } from "./pull-requests.ts";
import { responsePrograms } from "./responses.ts";
import { sensorPrograms } from "./sensors.ts";
import { userPrograms } from "./users.ts";

export type { RealisticProgram } from "./program.ts";

/** jq programs of the kinds that workflows contain, each with inputs and a function written by hand. */
export const realisticPrograms: readonly RealisticProgram[] = [
  ...orderPrograms,
  ...userPrograms,
  ...logPrograms,
  ...pullRequestPrograms,
  ...podPrograms,
  ...invoicePrograms,
  ...sensorPrograms,
  ...responsePrograms,
];
