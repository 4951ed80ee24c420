// Makes src/generated and schema/, in this order: each step may import what those before it made. One process, since most steps load the same libraries.

await import("./validators.ts");
await import("./runtime.ts");
await import("./runtime-files.ts");
await import("./openwhisk-runtime.ts");
await import("./asl-runtime.ts");
await import("./templates.ts");
await import("./helpers.ts");
await import("./function-helpers.ts");
await import("./diagnostics.ts");
