import { asl } from "./asl.ts";
import { configuration } from "./configuration.ts";
import type { Explanations } from "./explanation.ts";
import { expressions } from "./expressions.ts";
import { flow } from "./flow.ts";
import { jq } from "./jq.ts";
import { languages } from "./languages.ts";
import { names } from "./names.ts";
import { reading } from "./reading.ts";
import { scenario } from "./scenario.ts";
import { serverlessWorkflow } from "./serverless-workflow.ts";
import { shape } from "./shape.ts";
import { types } from "./types.ts";
import { typescript } from "./typescript.ts";

/** What `waybill explain` says about each code. */
export const explanations: Explanations = {
  ...reading,
  ...languages,
  ...configuration,
  ...shape,
  ...names,
  ...serverlessWorkflow,
  ...flow,
  ...expressions,
  ...jq,
  ...types,
  ...asl,
  ...typescript,
  ...scenario,
};
