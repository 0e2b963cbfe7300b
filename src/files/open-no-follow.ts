import { constants } from 'node:fs';

/**
 * Flags for opening a file that somebody else may have put there: a link in the last part of the path is refused, and a pipe
 * does not block the open. Windows has neither flag.
 */
export const noFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
