/** How much work may still be done: shapes that share parts are small as data, and large when all ways through them are gone. */
export interface Fuel {
  left: number;
}

/** Fuel for so many shapes. */
export const fuelOf = (left: number): Fuel => ({ left });

/** Takes one unit; false when there is none left. */
export function spend(fuel: Fuel): boolean {
  fuel.left -= 1;
  return fuel.left >= 0;
}
