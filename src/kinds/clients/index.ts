import { describedKind } from '../../items/described-kind.ts';
import { description } from '../../service/clients/description.generated.ts';

export const clients = describedKind(description);
