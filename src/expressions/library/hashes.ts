import type { Json } from "../../json.ts";
import { utf8Bytes } from "./encodings.ts";
import { toText } from "./json-text.ts";

/**
 * The lower-case hexadecimal hash of the UTF-8 bytes of a string, or of the JSON of another value; null for an unknown
 * algorithm.
 */
export function hashed(value: Json, algorithm: Json): string | null {
  const bytes = utf8Bytes(toText(value));
  switch (algorithm) {
    case "MD5":
      return md5(bytes);
    case "SHA-1":
      return sha1(bytes);
    case "SHA-256":
      return sha2(bytes, words32);
    case "SHA-384":
      return sha2(bytes, words64, sha384Start).slice(0, 96);
    case "SHA-512":
      return sha2(bytes, words64);
    default:
      return null;
  }
}

/** The bytes with their end mark and length, in whole blocks. */
function padded(bytes: readonly number[], block: number, isLittle: boolean): number[] {
  const all = [...bytes, 0x80];
  const lengthBytes = block / 8;
  while (all.length % block !== block - lengthBytes) all.push(0);
  const length: number[] = [];
  for (let i = 0, bits = bytes.length * 8; i < lengthBytes; i++, bits = Math.floor(bits / 256)) length.push(bits % 256);
  all.push(...(isLittle ? length : length.reverse()));
  return all;
}

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

const littleHex = (word: number): string =>
  [0, 8, 16, 24].map((at) => ((word >>> at) & 255).toString(16).padStart(2, "0")).join("");

const bigHex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");

const md5Shifts = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
];

function md5(bytes: readonly number[]): string {
  const all = padded(bytes, 64, true);
  let [a, b, c, d] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let at = 0; at < all.length; at += 64) {
    const word = (i: number): number => {
      const j = at + 4 * i;
      return all[j]! | (all[j + 1]! << 8) | (all[j + 2]! << 16) | (all[j + 3]! << 24);
    };
    let [p, q, r, s] = [a, b, c, d];
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const [mixed, from] =
        round === 0
          ? [(q & r) | (~q & s), i]
          : round === 1
            ? [(s & q) | (~s & r), (5 * i + 1) % 16]
            : round === 2
              ? [q ^ r ^ s, (3 * i + 5) % 16]
              : [r ^ (q | ~s), (7 * i) % 16];
      const constant = Math.floor(Math.abs(Math.sin(i + 1)) * 4294967296);
      const turned = rotated((p + mixed + constant + word(from)) | 0, md5Shifts[round]![i % 4]!);
      [p, s, r, q] = [s, r, q, (q + turned) | 0];
    }
    [a, b, c, d] = [(a + p) | 0, (b + q) | 0, (c + r) | 0, (d + s) | 0];
  }
  return [a, b, c, d].map(littleHex).join("");
}

function sha1(bytes: readonly number[]): string {
  const all = padded(bytes, 64, false);
  let sums = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let at = 0; at < all.length; at += 64) {
    const words: number[] = [];
    for (let i = 0; i < 80; i++) {
      const j = at + 4 * i;
      words.push(
        i < 16
          ? (all[j]! << 24) | (all[j + 1]! << 16) | (all[j + 2]! << 8) | all[j + 3]!
          : rotated(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1),
      );
    }
    let [a, b, c, d, e] = sums as [number, number, number, number, number];
    for (let i = 0; i < 80; i++) {
      const [mixed, constant] =
        i < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : i < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : i < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6];
      const next = (rotated(a, 5) + mixed + e + constant + words[i]!) | 0;
      [e, d, c, b, a] = [d, c, rotated(b, 30), a, next];
    }
    sums = [a, b, c, d, e].map((each, i) => (sums[i]! + each) | 0);
  }
  return sums.map(bigHex).join("");
}

/** The size of the words of a variant of SHA-2, and its constants: the numbers of bits of rotations and shifts. */
interface WordSize {
  readonly bits: number;
  readonly rounds: number;
  readonly sums: readonly (readonly [number, number, number])[];
  readonly shifts: readonly (readonly [number, number, number])[];
}

const words32: WordSize = {
  bits: 32,
  rounds: 64,
  sums: [
    [2, 13, 22],
    [6, 11, 25],
  ],
  shifts: [
    [7, 18, 3],
    [17, 19, 10],
  ],
};

const words64: WordSize = {
  bits: 64,
  rounds: 80,
  sums: [
    [28, 34, 39],
    [14, 18, 41],
  ],
  shifts: [
    [1, 8, 7],
    [19, 61, 6],
  ],
};

/** The first prime numbers. */
function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((each) => n % each !== 0)) found.push(n);
  return found;
}

/** The first bits of the fraction of the `power`-th root of a number. */
function rootBits(value: number, power: bigint, bits: number): bigint {
  const target = BigInt(value) << (power * BigInt(bits));
  let low = 0n;
  let high = BigInt(value + 1) << BigInt(bits);
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= target) low = middle;
    else high = middle;
  }
  return BigInt.asUintN(bits, low);
}

/** SHA-384 starts with the roots of the next eight prime numbers. */
const sha384Start = 8;

function sha2(bytes: readonly number[], { bits, rounds, sums, shifts }: WordSize, skipped = 0): string {
  const width = bits / 8;
  const block = 16 * width;
  const all = padded(bytes, block, false);
  const wrap = (value: bigint): bigint => BigInt.asUintN(bits, value);
  const turn = (value: bigint, by: number): bigint => wrap((value >> BigInt(by)) | (value << BigInt(bits - by)));
  const sum = (value: bigint, [x, y, z]: readonly [number, number, number]): bigint =>
    turn(value, x) ^ turn(value, y) ^ turn(value, z);
  const shifted = (value: bigint, [x, y, z]: readonly [number, number, number]): bigint =>
    turn(value, x) ^ turn(value, y) ^ (value >> BigInt(z));
  const constants = primes(rounds).map((prime) => rootBits(prime, 3n, bits));
  let state = primes(skipped + 8)
    .slice(skipped)
    .map((prime) => rootBits(prime, 2n, bits));
  for (let at = 0; at < all.length; at += block) {
    const words: bigint[] = [];
    for (let i = 0; i < rounds; i++) {
      let word = 0n;
      if (i < 16) for (let j = 0; j < width; j++) word = (word << 8n) | BigInt(all[at + i * width + j]!);
      else
        word =
          words[i - 16]! + shifted(words[i - 15]!, shifts[0]!) + words[i - 7]! + shifted(words[i - 2]!, shifts[1]!);
      words.push(wrap(word));
    }
    let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    for (let i = 0; i < rounds; i++) {
      const first = wrap(h + sum(e, sums[1]!) + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!);
      const second = wrap(sum(a, sums[0]!) + ((a & b) ^ (a & c) ^ (b & c)));
      [h, g, f, e, d, c, b, a] = [g, f, e, wrap(d + first), c, b, a, wrap(first + second)];
    }
    state = [a, b, c, d, e, f, g, h].map((each, i) => wrap(state[i]! + each));
  }
  return state.map((each) => each.toString(16).padStart(2 * width, "0")).join("");
}
