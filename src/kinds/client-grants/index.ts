import { describedKind } from '../../items/described-kind.ts';
import { description } from '../../service/client-grants/description.generated.ts';

export const clientGrants = describedKind(description);
