// Generated from src/kinds/resource-servers/kind.yaml by npm run generate.
import type { KindHead } from '../../model/kind.ts';

export const head = {
  "name": "resource_servers",
  "title": "Resource servers",
  "noun": {
    "one": "API",
    "many": "APIs"
  },
  "label": "API",
  "keyHint": "IDENTIFIER",
  "undeclared": "report",
  "hasSecrets": true
} satisfies KindHead;
