/** What others are known to refuse of what is emitted, until it is mended. */
export const knownRefusals: readonly { readonly target: string; readonly message: RegExp; readonly reason: string }[] =
  [
    {
      target: "typescript",
      message: /error TS2367/,
      reason: "A name is compared with two texts one after the other, and the second comparison can never hold.",
    },
    {
      target: "typescript",
      message: /^functions\.ts.*error TS(?:2353|2305)/,
      reason: "A function that only an unreachable state or no state calls is implemented, but not declared.",
    },
    {
      target: "typescript",
      message: /received\d* ?is declared|'received\d*'|error TS2339: .* type 'never'|error TS7006/,
      reason:
        "Constants of a loop are not seen from its condition; what can never be is looked at; parameters of conditions have no type.",
    },
  ];

/** Of the fixed seeds those that show a known fault which is not left out otherwise. */
export const knownSeeds: readonly { readonly seed: string; readonly reason: string }[] = [
  {
    seed: "mutants 274",
    reason: "Events that did not become complete are dropped in a loop whose condition does not see its constants.",
  },
];
