/** Front-end code that is independent of the source language. */
export * from "./inherit.ts";
export * from "./jq.ts";
export * from "./payload.ts";
export * from "./properties.ts";
export * from "./retry-loop.ts";
export * from "./spelling.ts";
export * from "./steps.ts";
export * from "./templates.ts";
