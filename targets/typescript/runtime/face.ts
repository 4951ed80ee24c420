/** All that modules of emitted programs import, but for the functions of their expressions. */
export { clock, id, random } from "./functions/built-in.ts";
export { grpc } from "./functions/grpc.ts";
export { reflected } from "./functions/grpc-reflection.ts";
export type { Call } from "./functions/http.ts";
export { http } from "./functions/http.ts";
export { limited } from "./functions/limited.ts";
export { mysql } from "./functions/mysql.ts";
export { openapi } from "./functions/openapi.ts";
export { postgres } from "./functions/postgres.ts";
export { request } from "./functions/request.ts";
export { secret } from "./functions/secrets.ts";
export * from "./index.ts";
export { main } from "./main/main.ts";
export type { Sink } from "./main/sinks.ts";
export { engineParts } from "./sqlite/parts.ts";
export * from "./sqlite.ts";
export { withOwn } from "./workflow.ts";
