import { describedKind } from '../../items/described-kind.ts';
import { description } from '../../service/clients/description.generated.ts';
import { whyLockedOut } from './hooks.ts';

export const clients = describedKind(description, { whyLockedOut });
