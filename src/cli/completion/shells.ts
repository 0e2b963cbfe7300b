/** Shells with a script in `completions/`. */
export const shells = ['bash', 'zsh', 'fish'] as const;
