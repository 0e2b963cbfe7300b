/** How much chaos `npm run check` runs, and within how many seeds a mechanism that is missing shows. Longer runs are commands. */
export const counts = { seeds: 40, seedsOfMutants: 120 };
