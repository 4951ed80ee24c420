// Generates src/generated and schema/. Steps import the results of earlier ones.

await import("./validators.ts");
await import("./jsonata-evaluator.ts");
await import("./expression-runtime.ts");
await import("./dashboard.ts");
await import("./typescript-runtime.ts");
await import("./openwhisk-runtime.ts");
await import("./asl.ts");
await import("./templates.ts");
await import("./openwhisk-helpers.ts");
await import("./diagnostics.ts");
