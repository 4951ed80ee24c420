/** What the front ends share: nothing here knows of one source language. */
export * from "./inherit.ts";
export * from "./jq.ts";
export * from "./result-retry.ts";
export * from "./sent.ts";
export * from "./spelling.ts";
export * from "./steps.ts";
export * from "./templates.ts";
export * from "./texts.ts";
