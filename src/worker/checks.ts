// The last check of each tenant, in a table.

import type { Session } from '../database/connect.ts';
import type { CheckedTenant, LastCheck } from '../model/checks.generated.ts';
import { inNaturalOrder } from '../values/text-order.ts';
import { type HeldJob, ownJob } from './jobs.ts';

/** What a check of a tenant found. */
export interface Found {
  readonly command: LastCheck['command'];
  readonly exitCode: number;
  /** Null if it could not be compared. */
  readonly differs: boolean | null;
  /** Codes of errors that ended the check. */
  readonly problems: readonly string[];
  /** As --results writes it, without secrets. */
  readonly document: string;
  /** True if another try can change nothing. */
  readonly isFinal: boolean;
}

/**
 * Keeps what a check found, and ends the job if it is final, in one statement. Returns false, and keeps nothing, if the job was
 * given to another worker in the meantime.
 */
export async function saveCheck(session: Session, job: HeldJob, found: Found): Promise<boolean> {
  const saved = await session.query(
    `with job as (${ownJob(found.isFinal)})
     insert into tenant_sync.checks as last (tenant, command, checked, exit_code, differs_since, document)
     select $3, $4, now(), $5, case when $6::boolean then now() end, $7 from job
     on conflict (tenant) do update set
       command = excluded.command, checked = excluded.checked, exit_code = excluded.exit_code, document = excluded.document,
       differs_since = case
         when $6::boolean is null then last.differs_since
         when $6::boolean then coalesce(last.differs_since, excluded.checked)
       end
     returning tenant`,
    [job.id, job.worker, job.tenant, found.command, found.exitCode, found.differs, found.document],
  );
  return saved.length > 0;
}

interface CheckRow {
  readonly tenant: string;
  readonly command: LastCheck['command'] | null;
  readonly checked: string;
  readonly exit_code: number;
  readonly differs_since: string | null;
}

/** A time as text, because the driver reads only those of the default DateStyle. */
const isoTime = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

/** The last checks of these tenants, in the order of their names. */
export async function readChecks(session: Session, tenants: readonly string[]): Promise<readonly CheckedTenant[]> {
  const rows = await session.query<CheckRow>(
    `select name as tenant, command, ${isoTime('checked')}, exit_code, ${isoTime('differs_since')}
     from unnest($1::text[]) with ordinality as asked (name, position) left join tenant_sync.checks on tenant = name
     order by position`,
    [inNaturalOrder(tenants, (name) => name)],
  );
  return rows.map(({ tenant, command, checked, exit_code, differs_since: since }) => ({
    tenant,
    last: command && { command, at: checked, exit_code },
    differs_since: since,
  }));
}

/** What the last check of each tenant that was checked found. */
export function readDocuments(session: Session, tenants: readonly string[]) {
  return session.query<Pick<CheckRow, 'tenant'> & Pick<Found, 'document'>>(
    'select tenant, document from tenant_sync.checks where tenant = any($1)',
    [tenants],
  );
}
