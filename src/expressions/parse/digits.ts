/** What an integer, written in decimal digits, becomes that has more digits than a double keeps; undefined where none are lost. */
export function lostDigits(text: string, value: number): string | undefined {
  if (!/^\d{16,}$/.test(text) || text.length > 400) return undefined;
  const kept = BigInt(value);
  return kept === BigInt(text) ? undefined : String(kept);
}
