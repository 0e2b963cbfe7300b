// Generated from the marks in schemas/ by npm run generate.

export const markedFields: readonly string[] = ["apikey","clientsecret","headervalue","password","secret","signingsecret","token"];

/** Maps whose values are secrets, by the keys that lead to them. */
export const secretMaps: ReadonlySet<string> = new Set(["connections/options/configuration"]);
