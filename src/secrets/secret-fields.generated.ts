// Generated from the marks in schemas/ by npm run generate.

export const markedFields: readonly string[] = ["apikey","clientsecret","headervalue","password","secret","signingsecret","token"];

/** Secrets with names that others have as well, by the keys that lead to them; `*` is any key of a map. */
export const secretPlaces: ReadonlySet<string> = new Set(["connections/options/configuration/*"]);
