import { describedKind } from '../../items/described-kind.ts';
import { description } from '../../service/connections/description.generated.ts';

export const connections = describedKind(description);
