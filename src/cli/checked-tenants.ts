// What the workers have found, as documents.

import type { Session } from '../database/connect.ts';
import { withSession } from '../database/migrate.ts';
import { parseDocument } from '../document/parse-document.ts';
import type { ReportDocument } from '../report/document.ts';
import { readChecks, readDocuments } from '../worker/checks.ts';
import type { CommandContext } from './context.ts';
import { databaseUrl } from './environment.ts';
import { nameOf, targetsOf } from './targets.ts';

/** The last checks of the tenants of a project, and what each found. Throws a CommandError, and a JournalTrouble. */
export async function checkedTenants(
  { io }: Pick<CommandContext, 'io'>,
  folder: string,
): Promise<readonly ReportDocument[]> {
  const names = (await targetsOf(io, { folder, all: true })).map(nameOf);
  return withSession(databaseUrl(io), (session) => documentsOf(session, names));
}

/** The last checks of these tenants, and what each found. */
export async function documentsOf(session: Session, names: readonly string[]): Promise<readonly ReportDocument[]> {
  const tenants = await readChecks(session, names);
  return [{ type: 'checks', tenants }, ...(await readDocuments(session, names)).map(documentOf)];
}

type Row = Awaited<ReturnType<typeof readDocuments>>[number];

function documentOf({ tenant, command, document }: Row): ReportDocument {
  const about = `the last check of ${tenant}`;
  const parsed = parseDocument(document, about);
  if (parsed.status === 'parsed' && parsed.type === 'plan')
    return { type: command ?? 'drift', plan: parsed.plan, diagnostics: [] };
  const diagnostics = 'diagnostics' in parsed ? parsed.diagnostics : [];
  return { type: 'diagnostics', command: command ?? 'drift', diagnostics, files: 0, tenant };
}
