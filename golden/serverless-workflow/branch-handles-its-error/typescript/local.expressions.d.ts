import type { Json } from "./runtime/index.ts";

export declare function absorb<T extends Json>(target: T, value: Json, key: string): T;
export declare function changes(value: Json, base: Json): Json;
export declare function merge<T extends Json>(target: T, value: Json): T;
