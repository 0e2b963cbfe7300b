// Preloaded into a measured command: what it used goes to descriptor 3 at its end. CommonJS, so that a command that has no ES module
// does not pay for loading the first one.
const { readFileSync, writeSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: peakKilobytes(maxRSS) / 1024 }));
});

/** Linux: maxRSS starts at what the parent held when it forked, which is not the command's; VmHWM starts at zero. */
function peakKilobytes(maxRss) {
  if (process.platform !== 'linux') return maxRss;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}
