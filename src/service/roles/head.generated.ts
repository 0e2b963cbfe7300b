// Generated from src/kinds/roles/kind.yaml by npm run generate.
import type { KindHead } from '../../model/kind.ts';

export const head = {
  "name": "roles",
  "title": "Roles",
  "noun": {
    "one": "role",
    "many": "roles"
  },
  "label": "role",
  "keyHint": "NAME_OR_ID",
  "undeclared": "report",
  "needs": [
    "resource_servers"
  ],
  "goneWith": [
    "resource_servers"
  ]
} satisfies KindHead;
