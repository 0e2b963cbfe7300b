import { describedKind } from '../../items/described-kind.ts';
import { description } from '../../service/client-grants/description.generated.ts';
import { whyLockedOut } from './hooks.ts';

export const clientGrants = describedKind(description, { whyLockedOut });
