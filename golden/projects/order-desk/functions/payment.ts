/** Charges a card. */
export async function charge({ amount }: { readonly amount: unknown }): Promise<{ readonly receipt: string }> {
  return { receipt: `for ${String(amount)}` };
}
