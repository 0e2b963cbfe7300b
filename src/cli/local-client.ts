/** The only client of an embedded tenant without a seed. Its secret is public. */
export const localClient = { id: 'local', secret: 'local-only' } as const;
