import { programsOf, times } from "./program.ts";

type Station = {
  readonly device: { readonly id: string; readonly battery: number; readonly offline: boolean };
  readonly readings: readonly {
    readonly time: number;
    readonly temperature: number;
    readonly humidity: number | null;
  }[];
};

const stationOf = (station: number): Station => ({
  device: { id: `station-${station}`, battery: 15 + station * 20, offline: station % 2 === 1 },
  readings: times(300 - station * 40, (index) => ({
    time: 1_770_000_000 + index * 60,
    temperature: 18 + ((index * 7 + station) % 29) / 2,
    humidity: index % 11 === 0 ? null : 30 + (index % 50),
  })),
});

/** Programs on readings of sensors. */
export const sensorPrograms = programsOf(times(3, stationOf), [
  [
    ".readings | map(.temperature) | add / length",
    ({ readings }) => readings.reduce((sum, { temperature }) => sum + temperature, 0) / readings.length,
  ],
  [
    "[.readings[].temperature] | max - min",
    ({ readings }) => {
      const values = readings.map(({ temperature }) => temperature);
      return Math.max(...values) - Math.min(...values);
    },
  ],
  [
    ".readings | map(.humidity | values) | min",
    ({ readings }) => Math.min(...readings.map(({ humidity }) => humidity).filter((humidity) => humidity !== null)),
  ],
  [
    "first(.readings[] | select(.temperature > 30) | .time)",
    ({ readings }) => [readings.find(({ temperature }) => temperature > 30)!.time],
  ],
  [
    ".readings | map(.temperature * 9 / 5 + 32 | round)",
    ({ readings }) => readings.map(({ temperature }) => Math.round((temperature * 9) / 5 + 32)),
  ],
  [
    "[foreach .readings[] as $reading (0; . + $reading.temperature)]",
    ({ readings }) => {
      let sum = 0;
      return readings.map(({ temperature }) => (sum += temperature));
    },
  ],
  [".readings[-5:] | map(.temperature)", ({ readings }) => readings.slice(-5).map(({ temperature }) => temperature)],
  [".device.battery < 20 or .device.offline", ({ device }) => device.battery < 20 || device.offline],
  [
    ".readings as $all | [range(1; $all | length) | $all[.].temperature - $all[. - 1].temperature]",
    ({ readings }) => readings.slice(1).map(({ temperature }, index) => temperature - readings[index]!.temperature),
  ],
]);
