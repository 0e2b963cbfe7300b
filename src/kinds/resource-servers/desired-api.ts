import type { Present } from '../../model/kind.ts';
import type { DeclaredResourceServer } from '../../service/resource-servers/types.generated.ts';

/** An API that the files manage. */
export type DesiredApi = Present<DeclaredResourceServer, 'scopes'>;
