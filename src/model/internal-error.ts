/** A broken assumption of our own: asks for a report, and only the command line catches it. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}
