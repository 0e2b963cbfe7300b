// Generated from the marks in schemas/ by npm run generate.

export const markedFields: readonly string[] = ["clientsecret","headervalue","password","signingsecret","token"];
