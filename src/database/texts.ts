// Texts that grow at the end, each under a name.
import type { Session } from './connect.ts';
import { withSession } from './migrate.ts';

/** Null if there is none. */
export async function readText(session: Session, name: string): Promise<string | null> {
  const [row] = await session.query<{ text: string | null }>(
    `select string_agg(text, '' order by position) as text from tenant_sync.texts where name = $1`,
    [name],
  );
  return row?.text ?? null;
}

/** A text of a run that takes hours between two uses of it: each use has a connection of its own. */
export function keptText(url: string, name: string) {
  return {
    /** Null if nothing was ever appended. */
    read: () => withSession(url, (session) => readText(session, name)),
    append: (text: string) =>
      withSession(url, async ({ query }) => {
        await query('insert into tenant_sync.texts (name, text) values ($1, $2)', [name, text]);
      }),
  };
}
