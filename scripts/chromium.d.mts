import type { LaunchOptions } from 'playwright-core';

/** The path of a Chromium on this machine; null if there is none. */
export function findChromium(env?: Readonly<Record<string, string | undefined>>): string | null;

/** How a Chromium is started that does nothing on its own. */
export function launchOptions(executablePath: string): LaunchOptions;

/** What to do where there is none. */
export const noChromium: string;
