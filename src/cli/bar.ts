import type { Bar } from './io.ts';

/** A bar on a terminal, cleared when it stops. */
export async function openBar(stream: NodeJS.WritableStream): Promise<Bar> {
  const { default: progress } = await import('cli-progress');
  const line = new progress.SingleBar(
    { format: '{bar} {value}/{total} {text}', stream, clearOnComplete: true, barsize: 24, gracefulExit: false },
    progress.Presets.shades_classic,
  );
  let started = false;
  return {
    update(done, total, text) {
      if (started) line.setTotal(total);
      else line.start(total, done, { text });
      started = true;
      line.update(done, { text });
    },
    stop() {
      line.stop();
      started = false;
    },
  };
}
