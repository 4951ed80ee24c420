import type { Json } from "../json.ts";

/** The time in seconds since 1970 (UTC), with their fraction. */
export const clock = async (): Promise<Json> => Date.now() / 1000;

/** A random number, from 0 up to 1. */
export const random = async (): Promise<Json> => Math.random();

/** A text that no other call gives. */
export const id = async (): Promise<Json> => globalThis.crypto.randomUUID();
