// Generated from src/kinds/attack-protection/kind.yaml by npm run generate.
import type { KindHead } from '../../model/kind.ts';

export const head = {
  "name": "attack_protection",
  "title": "Attack protection",
  "noun": {
    "one": "protection",
    "many": "protections"
  },
  "label": "protection",
  "keyHint": "NAME",
  "undeclared": "ignore",
  "hasSecrets": true
} satisfies KindHead;
