import type { Json } from "./runtime/index.ts";

export declare function absorb<T extends Json>(target: T, value: Json, key: string): T;
export declare function isLess(left: Json, right: Json): boolean;
export declare function plus(left: Json, right: Json): Json;
