// Generated from the marks in schemas/ by npm run generate.

export const markedFields: readonly string[] = ["headervalue","password","token"];
