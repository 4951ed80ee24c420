import fc from "fast-check";
import type { Generator } from "../case.ts";
import { cases } from "./cases.ts";
import { changes } from "./changes.ts";
import { grammar } from "./grammar.ts";
import { large } from "./large.ts";

/** The CNCF Serverless Workflow language in its draft of June 2020. */
export const serverlessWorkflow: Generator = {
  language: "serverless-workflow",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar,
};
