export interface Size {
  files: number;
  lines: number;
  tokens: number;
}
export function isWrittenByHand(path: string): boolean;
export function packageOf(path: string): string;
export function sizes(files: Iterable<readonly [path: string, text: string]>): Map<string, Size>;
