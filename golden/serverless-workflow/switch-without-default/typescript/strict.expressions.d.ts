import type { Json } from "./runtime/index.ts";

export declare function merge<T extends Json>(target: T, value: Json): T;
export declare function present(value: Json | undefined): Json[];
export declare function satisfies(values: readonly Json[], operator: string, operand: Json): boolean;
