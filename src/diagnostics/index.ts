/** Every kind of diagnostic that there is: the catalogue that `waybill explain` and SARIF rules are made from. */
export * from "../../targets/asl/diagnostics/kinds.ts";
export * from "../../targets/typescript/diagnostics/kinds.ts";
export * from "../languages/serverless-workflow/diagnostics/kinds.ts";
export * from "./configuration.ts";
export * from "./expressions.ts";
export * from "./flow.ts";
export * from "./jq.ts";
export * from "./languages.ts";
export * from "./names.ts";
export * from "./reading.ts";
export * from "./scenario.ts";
export * from "./shape.ts";
export * from "./types.ts";
