import { pick, programsOf, times } from "./program.ts";

type Invoice = {
  readonly number: string;
  readonly customer: string;
  readonly currency: string;
  readonly due: string;
  readonly paid: boolean;
  readonly lines: readonly { readonly description: string; readonly amount: number; readonly taxRate: number }[];
};

const invoiceOf = (index: number): Invoice => ({
  number: `INV-${1000 + index}`,
  customer: `customer-${(index * 3) % 25}`,
  currency: pick(["EUR", "USD", "CHF"], index),
  due: `2026-0${1 + (index % 9)}-15`,
  paid: index % 3 === 0,
  lines: times(2 + (index % 4), (line) => ({
    description: `Line ${line}`,
    amount: 10 + ((index * 29 + line * 7) % 400),
    taxRate: pick([0.25, 0.125, 0], index + line),
  })),
});

const lists = [times(80, invoiceOf), times(60, (index) => invoiceOf(index + 5))];

const sumOf = ({ lines }: Invoice): number => lines.reduce((sum, { amount }) => sum + amount, 0);

/** Programs on invoices. */
export const invoicePrograms = programsOf(lists, [
  [
    "map(select(.paid | not) | .lines | map(.amount) | add) | add",
    (invoices) => invoices.filter(({ paid }) => !paid).reduce((sum, invoice) => sum + sumOf(invoice), 0),
  ],
  [
    "map(. + {total: ([.lines[] | .amount * (1 + .taxRate)] | add)})",
    (invoices) =>
      invoices.map((invoice) => ({
        ...invoice,
        total: invoice.lines.reduce((sum, { amount, taxRate }) => sum + amount * (1 + taxRate), 0),
      })),
  ],
  [
    '[.[] | select(.due < "2026-06-01" and (.paid | not)) | .number]',
    (invoices) => invoices.filter(({ due, paid }) => due < "2026-06-01" && !paid).map(({ number }) => number),
  ],
  [
    "reduce .[].lines[] as $line (0; . + $line.amount)",
    (invoices) => invoices.reduce((sum, invoice) => sum + sumOf(invoice), 0),
  ],
  [
    "group_by(.currency) | map({(.[0].currency): (map(.lines[].amount) | add)}) | add",
    (invoices) => {
      const sums: { [currency: string]: number } = {};
      for (const invoice of invoices) sums[invoice.currency] = (sums[invoice.currency] ?? 0) + sumOf(invoice);
      return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  ],
  ["[.[].customer] | unique | length", (invoices) => new Set(invoices.map(({ customer }) => customer)).size],
  ["map(.lines | length) | max", (invoices) => Math.max(...invoices.map(({ lines }) => lines.length))],
  [
    'map(.number | ltrimstr("INV-") | tonumber) | max + 1',
    (invoices) => Math.max(...invoices.map(({ number }) => Number(number.slice(4)))) + 1,
  ],
]);
