// Texts that grow at the end, each under a name.
import type { Session } from './connect.ts';

/** Null if there is none. */
export async function readText(session: Session, name: string): Promise<string | null> {
  const [row] = await session.query<{ text: string | null }>(
    `select string_agg(text, '' order by position) as text from tenant_sync.texts where name = $1`,
    [name],
  );
  return row?.text ?? null;
}

export async function appendText(session: Session, name: string, text: string): Promise<void> {
  await session.query('insert into tenant_sync.texts (name, text) values ($1, $2)', [name, text]);
}
