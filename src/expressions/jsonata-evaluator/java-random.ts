/** The first number of `new java.util.Random(seed).nextDouble()`, which Step Functions gives for `$random(seed)`. */
export function seededRandom(seed: number): number {
  let state = (BigInt(Math.trunc(seed)) ^ multiplier) & mask;
  const next = (bits: bigint): bigint => {
    state = (state * multiplier + 11n) & mask;
    return state >> (48n - bits);
  };
  const high = next(26n);
  return Number((high << 27n) + next(27n)) * 2 ** -53;
}

const multiplier = 0x5deece66dn;
const mask = (1n << 48n) - 1n;
