/** A bug in this package. Only the command line catches it, and asks for a report. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}
