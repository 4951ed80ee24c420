/** Returns the CPU milliseconds that this thread has used, which does not depend on the load of the machine. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
