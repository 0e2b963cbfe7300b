import type { KindDescription } from '../model/resource.ts';

/** What a description and the kind that is made of it have in common. */
export function headOf(description: KindDescription) {
  const { name, title, noun, label, keyHint, undeclared, hasSecrets } = description;
  return {
    ...{ name, title, noun },
    ...(label !== undefined && { label }),
    ...(keyHint !== undefined && { keyHint }),
    undeclared,
    ...(hasSecrets && { hasSecrets }),
  };
}
