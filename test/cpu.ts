/** The milliseconds of processor time that this thread has used: how much was worked, on a loaded machine as on a quiet one. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
