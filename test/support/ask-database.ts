import pg from 'pg';

/** The rows of one statement, on a connection of its own. */
export async function asAdmin(url: string, statement: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
