/** How much chaos `npm run check` runs. Longer runs are commands (docs/chaos.md). */
export const counts = { seeds: 400, killPoints: 60 };
