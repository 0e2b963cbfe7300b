/** How much chaos `npm run check` runs. Longer runs are commands (docs/chaos.md). */
export const counts = { seeds: 150, killPoints: 30 };
