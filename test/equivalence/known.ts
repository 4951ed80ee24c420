/** What others are known to refuse of what is emitted, until it is mended. */
export const knownRefusals: readonly { readonly target: string; readonly message: RegExp; readonly reason: string }[] =
  [
    {
      target: "typescript",
      message: /^functions\.ts.*error TS(?:2353|2305)/,
      reason: "A function that only an unreachable state or no state calls is implemented, but not declared.",
    },
    {
      target: "typescript",
      message: /received\d* ?is declared|'received\d*'|error TS2339: .* type 'never'|error TS7006|error TS2345/,
      reason:
        "Constants of a loop are not seen from its condition; what can never be is looked at; parameters of conditions have no type; members called like those of all objects are taken for these.",
    },
  ];

/** Large cases that are not run: what they need is more than there may be. */
export const knownLarge: readonly { readonly name: RegExp; readonly reason: string }[] = [
  {
    name: /never waits/,
    reason:
      "typescript does not count rounds of a loop, and never ends; asl ends after 200,000 steps, which take 8 seconds.",
  },
];
