/** How much of the chaos a run of all tests takes; the long runs are commands (docs/chaos.md). */
export const counts = { seeds: 1000, killPoints: 60 };
