/** The exact version that is measured and tested. */
export const peerVersion: string;

/** Installs it into a folder, unless it is there. Throws with a remedy if the registry cannot be reached. */
export function installPeer(folder: string): Promise<{ readonly script: string; readonly sdkVersion: string }>;
