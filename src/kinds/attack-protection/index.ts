import { groupKind } from '../../items/group-kind.ts';
import { description } from '../../service/attack-protection/description.generated.ts';

export const attackProtection = groupKind(description);
