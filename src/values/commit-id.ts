/** True for the id of a commit, complete: it may become an argument of git or a part of a path. */
export function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}
