import type { Json } from "./runtime/index.ts";

export declare function absorb<T extends Json>(target: T, value: Json, key: string): T;
export declare function attributeOf(event: Json, name: string): Json | undefined;
export declare function awaitEvent(v1: Json, v2: Json): readonly Json[];
export declare function awaitEvent2(v1: Json, v2: Json): readonly Json[];
export declare function billEvent(v1: Json, v2: Json): readonly Json[];
export declare function memberOf(value: Json | undefined, name: string): Json | undefined;
export declare function merge<T extends Json>(target: T, value: Json): T;
export declare function receiveEvent(v1: Json, v2: Json): readonly Json[];
