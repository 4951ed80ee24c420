const mask = (1n << 48n) - 1n;
const multiplier = 0x5deece66dn;

/** The first `nextInt(bound)` of the generator `java.util.Random` with a seed. */
export function javaRandom(seed: number, bound: number): number {
  let state = (BigInt(seed) ^ multiplier) & mask;
  const next = (): bigint => {
    state = (state * multiplier + 0xbn) & mask;
    return state >> 17n;
  };
  const most = BigInt(bound);
  if ((most & -most) === most) return Number((most * next()) >> 31n);
  for (;;) {
    const bits = next();
    const value = bits % most;
    if (bits - value + (most - 1n) < 1n << 31n) return Number(value);
  }
}
