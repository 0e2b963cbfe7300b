// What the workers have found, as documents.

import { connect } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';
import { parseDocument } from '../document/parse-document.ts';
import type { ReportDocument } from '../report/document.ts';
import { readChecks, readDocuments } from '../worker/checks.ts';
import type { CommandContext } from './context.ts';
import { databaseUrl, orCommandError } from './database.ts';
import { nameOf, targetsOf } from './targets.ts';

/** The last checks of the tenants of a project, and with them what each found. Throws a CommandError. */
export async function checkedTenants({ io }: Pick<CommandContext, 'io'>, folder: string) {
  const names = (await targetsOf(io, { folder, all: true })).map(nameOf);
  return orCommandError(async () => {
    const session = await connect(databaseUrl(io));
    try {
      await migrate(session);
      const tenants = await readChecks(session, names);
      const found = (await readDocuments(session, names)).map(documentOf);
      return { tenants, documents: [{ type: 'checks', tenants } as const, ...found] };
    } finally {
      await session.end();
    }
  });
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
