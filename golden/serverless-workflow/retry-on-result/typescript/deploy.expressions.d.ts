import type { Json } from "./runtime/index.ts";

export declare function absorb<T extends Json>(target: T, value: Json, key: string): T;
export declare function isLess(...values: readonly (Json | undefined)[]): any;
export declare function plus(...values: readonly (Json | undefined)[]): any;
