/**
 * Starts to measure. What it returns gives the processor time of this process since then, in milliseconds: other processes on the
 * machine do not count.
 */
export function startProcessorTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
